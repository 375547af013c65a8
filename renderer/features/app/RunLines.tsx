import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { LinePages } from '../output/LinePages.tsx';
import type { LineFilter } from '../output/OutputFilter.tsx';
import { useRunPage } from './use-run-page.ts';

interface RunLinesProps {
  readonly runId: string;
  readonly filter: LineFilter;
}

/** Pages of everything that is kept of a run's output, the newest first, since errors are at the end. */
export function RunLines({ runId, filter }: RunLinesProps) {
  const { loaded, turnTo, reload } = useRunPage(runId, filter);
  const page = loaded?.value;
  return (
    <>
      {loaded?.state === 'failed' && (
        <FailedNote error={loaded.error} title="The output could not be loaded" onRetry={reload} />
      )}
      {page ? (
        <LinePages page={page} loading={loaded.state === 'loading'} turnTo={turnTo} whole="this run" />
      ) : (
        loaded?.state !== 'failed' && <Skeleton rows={6} />
      )}
    </>
  );
}
