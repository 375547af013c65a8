import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import type { ShownPage } from '../../slices/apps/runs-slice.ts';
import type { LineFilter } from './OutputFilter.tsx';
import { OutputLines } from './OutputLines.tsx';
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
        <LinesOfPage page={page}>
          {(page.before > 0 || page.before + page.lines.length < page.matches) && (
            <span className="row">
              <Button
                variant="default"
                size="compact-sm"
                disabled={loaded.state === 'loading' || page.before === 0}
                onClick={() => turnTo({ before: page.lines[0]?.number ?? 1 })}
              >
                Earlier lines
              </Button>
              <Button
                variant="default"
                size="compact-sm"
                disabled={loaded.state === 'loading' || page.before + page.lines.length >= page.matches}
                onClick={() => turnTo({ after: page.lines.at(-1)?.number ?? 0 })}
              >
                Later lines
              </Button>
            </span>
          )}
        </LinesOfPage>
      ) : (
        loaded?.state !== 'failed' && <Skeleton rows={6} />
      )}
    </>
  );
}

interface LinesOfPageProps {
  readonly page: ShownPage;
  readonly children: ReactNode;
}

function LinesOfPage({ page, children }: LinesOfPageProps) {
  return (
    <>
      <div className="output-bar">
        <p className="muted small" role="status">
          {pageText(page)}
        </p>
        {children}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div className="output-box" role="log" aria-label="Lines" aria-live="off" tabIndex={0}>
        <OutputLines lines={page.lines} find={page.query.text ?? ''} />
      </div>
    </>
  );
}

/** Says which lines are shown, how many are kept, and how many are not. */
function pageText({ query, lines, before, matches, kept, last }: ShownPage): string {
  const filtered = query.text !== undefined || query.errors === true;
  const all = amount(kept, 'line', 'lines');
  const of = filtered ? `${amount(matches, 'match', 'matches')} in ${all}` : all;
  const range = `${(before + 1).toLocaleString()} to ${(before + lines.length).toLocaleString()}`;
  const shown = kept === 0 ? 'No output' : lines.length === matches || lines.length === 0 ? of : `${range} of ${of}`;
  return last > kept
    ? `${shown}. ${amount(last - kept, 'more line', 'more lines')} of this run were not kept.`
    : `${shown}.`;
}

const amount = (count: number, one: string, many: string) => `${count.toLocaleString()} ${count === 1 ? one : many}`;
