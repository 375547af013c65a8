import { Button } from '@mantine/core';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import { hrefOf } from '../../navigation/route.ts';
import { duration } from '../../parts/format.ts';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { titleOf } from '../../slices/apps/apps-slice.ts';
import { LISTED_RUNS } from '../../slices/apps/runs-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { endText, exitText } from '../run/run-text.ts';
import { RunOutput } from './RunOutput.tsx';
import './runs.css';
import '../../parts/rows.css';

interface RunsPanelProps {
  readonly appName: string;
  /** The id of the run whose output is shown; null shows the list. */
  readonly run: string | null;
}

/** Lists an app's runs, or shows the output of one. */
export function RunsPanel({ appName, run }: RunsPanelProps) {
  const loaded = useDashboard((s) => s.runs[appName]);
  const loadRuns = useDashboard((s) => s.loadRuns);
  useWhenConnected(loadRuns, appName);
  const runs = loaded?.value;
  if (run !== null)
    return <RunOutput key={run} appName={appName} runId={run} run={runs?.find(({ runId }) => runId === run)} />;
  return (
    <>
      {loaded?.state === 'failed' && (
        <FailedNote error={loaded.error} title="The runs could not be loaded" onRetry={() => void loadRuns(appName)} />
      )}
      {runs ? <RunList appName={appName} runs={runs} /> : loaded?.state !== 'failed' && <Skeleton rows={3} />}
    </>
  );
}

function RunList({ appName, runs }: { readonly appName: string; readonly runs: readonly AppRun[] }) {
  const title = useDashboard((s) => titleOf(s, appName));
  if (runs.length === 0) {
    return <EmptyState title="No runs yet">Each run is listed here when it has ended.</EmptyState>;
  }
  return (
    <>
      <ul className="card rows" aria-label={`Runs of ${title}, newest first`}>
        {runs.map((run) => (
          <RunRow key={run.runId} run={run} />
        ))}
      </ul>
      {runs.length >= LISTED_RUNS && <p className="muted small rows-note">Only the newest {LISTED_RUNS} are listed.</p>}
    </>
  );
}

function RunRow({ run }: { readonly run: AppRun }) {
  const { word, tone } = endText(run);
  return (
    <li className="run-row">
      <StateWord tone={tone}>{word}</StateWord>
      <span className="run-when small">
        <TimeAgo at={run.startedAt} />
      </span>
      <span className="muted small run-facts">
        {duration(Date.parse(run.endedAt) - Date.parse(run.startedAt))} · {exitText(run)}
        {run.version && ` · ${run.version}`}
      </span>
      <Button
        component="a"
        variant="default"
        size="compact-sm"
        href={hrefOf('apps', { appName: run.appName, tab: 'runs', run: run.runId })}
        aria-label={`Output of the run started ${new Date(run.startedAt).toLocaleString()}`}
      >
        Output
      </Button>
    </li>
  );
}
