import { Button } from '@mantine/core';
import type { AppRun, OutputPage } from '../../../daemon/contract/apps/runs.ts';
import { hrefOf } from '../../navigation/route.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { counted, duration } from '../../parts/format.ts';
import { BackIcon } from '../../parts/icons.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { CrashNote } from '../run/CrashNote.tsx';
import { endedAbnormally, exitText, outcomeText } from '../run/run-text.ts';
import { useSeen } from '../run/use-seen.ts';
import { OutputLines } from './OutputLines.tsx';
import './output.css';

interface RunOutputProps {
  readonly appName: string;
  readonly runId: string;
  /** Undefined while the list loads, or if the run is no longer listed. */
  readonly run: AppRun | undefined;
}

/** Shows the output of one run by pages, the last page first, since errors are at the end. */
export function RunOutput({ appName, runId, run }: RunOutputProps) {
  const loaded = useDashboard((s) => (s.runOutput?.runId === runId ? s.runOutput.page : null));
  const loadRunOutput = useDashboard((s) => s.loadRunOutput);
  useWhenConnected(loadRunOutput, runId);
  useSeen(run ?? null);
  const page = loaded?.value;
  return (
    <div className="stack">
      <div className="row">
        <a className="app-back" href={hrefOf('apps', { appName, tab: 'runs' })}>
          <BackIcon size={16} /> All runs
        </a>
        {run && <RunSummary run={run} />}
      </div>
      {run && endedAbnormally(run) && <CrashNote run={run} past />}
      {loaded?.state === 'failed' && (
        <FailedNote
          error={loaded.error}
          title="The output could not be loaded"
          onRetry={() => void loadRunOutput(runId)}
        />
      )}
      {page ? (
        <OutputPageCard
          page={page}
          loading={loaded?.state === 'loading'}
          onPage={(after) => void loadRunOutput(runId, after)}
        />
      ) : (
        loaded?.state !== 'failed' && <Skeleton rows={6} />
      )}
    </div>
  );
}

function RunSummary({ run }: { readonly run: AppRun }) {
  const { word, tone } = outcomeText[run.outcome];
  return (
    <>
      <StateWord tone={tone}>{word}</StateWord>
      <span className="muted small">
        <TimeAgo at={run.startedAt} /> · {duration(Date.parse(run.endedAt) - Date.parse(run.startedAt))} ·{' '}
        {exitText(run)}
      </span>
    </>
  );
}

/** The daemon's page size, in lines. */
const PAGE_LINES = 500;

interface OutputPageCardProps {
  readonly page: OutputPage;
  readonly loading: boolean;
  /** Loads the page of lines after that line number. */
  readonly onPage: (after: number) => void;
}

function OutputPageCard({ page: { lines, firstKept, last }, loading, onPage }: OutputPageCardProps) {
  const from = lines[0]?.number ?? last + 1;
  const to = lines.at(-1)?.number ?? last;
  return (
    <section className="card output-card" aria-label="Output of this run">
      <div className="output-bar">
        <p className="muted small" role="status">
          {lines.length === 0
            ? 'No output.'
            : `Lines ${from.toLocaleString()} to ${to.toLocaleString()} of ${last.toLocaleString()}`}
          {firstKept > 1 && `. ${counted(firstKept - 1, 'earlier line')} are no longer kept.`}
        </p>
        <div className="row">
          {(from > firstKept || to < last) && (
            <>
              <Button
                variant="default"
                size="compact-sm"
                disabled={loading || from <= firstKept}
                onClick={() => onPage(Math.max(firstKept - 1, from - 1 - PAGE_LINES))}
              >
                Earlier lines
              </Button>
              <Button variant="default" size="compact-sm" disabled={loading || to >= last} onClick={() => onPage(to)}>
                Later lines
              </Button>
            </>
          )}
          <CopyButton
            text={() => lines.map(({ text }) => text).join('\n')}
            name="Copy these lines"
            copied={`${counted(lines.length, 'line')} copied`}
            disabled={lines.length === 0}
          />
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div className="output-box" role="log" aria-label="Lines" aria-live="off" tabIndex={0}>
        <OutputLines lines={lines} />
      </div>
    </section>
  );
}
