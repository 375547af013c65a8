import { useState } from 'react';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import { hrefOf } from '../../navigation/route.ts';
import { LinkButton } from '../../parts/actions/buttons.tsx';
import { duration } from '../../parts/format.ts';
import { BackIcon } from '../../parts/icons.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { runOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { LISTED_RUNS, runsKey } from '../../slices/apps/runs.ts';
import { useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { noFilter, OutputFilter } from '../output/OutputFilter.tsx';
import { CrashNote } from '../run/CrashNote.tsx';
import { endedAbnormally, endText, exitText } from '../run/run-text.ts';
import { useSeen } from '../run/use-ended-run.ts';
import { noRunsText, onlyNewestText } from './app-text.ts';
import { RunLines, SaveOutput } from './RunLines.tsx';
import '../../parts/rows.css';
import '../output/output.css';
import './app-page.css';

interface RunsPanelProps {
  readonly appName: string;
  /** The id of the run whose output is shown; null shows the list. */
  readonly run: string | null;
}

/** Lists an app's runs, or shows the output of one. */
export function RunsPanel({ appName, run }: RunsPanelProps) {
  const asked = useAsked<readonly AppRun[]>(runsKey(appName), (call) =>
    call('listRuns', { query: { app: appName, limit: LISTED_RUNS } }),
  );
  if (run !== null) {
    const ended = asked.value?.find(({ runId }) => runId === run);
    return <RunOutput key={run} appName={appName} runId={run} run={ended} />;
  }
  return (
    <LoadedPart of={asked} failure="The runs could not be loaded" rows={3}>
      {(runs) => <RunList appName={appName} runs={runs} />}
    </LoadedPart>
  );
}

function RunList({ appName, runs }: { readonly appName: string; readonly runs: readonly AppRun[] }) {
  const title = useDashboard((s) => titleOf(s, appName));
  if (runs.length === 0) {
    return <EmptyState title="No runs yet">{noRunsText}</EmptyState>;
  }
  return (
    <>
      <ul className="card rows" aria-label={`Runs of ${title}, newest first`}>
        {runs.map((run) => (
          <RunRow key={run.runId} run={run} />
        ))}
      </ul>
      {runs.length >= LISTED_RUNS && <p className="muted small rows-note">{onlyNewestText(LISTED_RUNS)}</p>}
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
      <LinkButton
        href={hrefOf('apps', { appName: run.appName, tab: 'runs', run: run.runId })}
        aria-label={`Output of the run started ${new Date(run.startedAt).toLocaleString()}`}
      >
        Output
      </LinkButton>
    </li>
  );
}

interface RunOutputProps {
  readonly appName: string;
  readonly runId: string;
  /** Undefined while the list loads, while it runs, or if it is no longer listed. */
  readonly run: AppRun | undefined;
}

function RunOutput({ appName, runId, run }: RunOutputProps) {
  const [filter, setFilter] = useState(noFilter);
  const running = useDashboard((s) => {
    const current = runOf(s.slot, appName);
    return current?.holder.kind === 'managed-app' && current.holder.runId === runId;
  });
  useSeen(run ?? null);
  return (
    <div className="stack">
      <div className="row run-head">
        <a className="app-back" href={hrefOf('apps', { appName, tab: 'runs' })}>
          <BackIcon size={16} /> All runs
        </a>
        {run && <RunSummary run={run} />}
        {running && <StateWord tone="running">running</StateWord>}
      </div>
      {run && endedAbnormally(run) && <CrashNote run={run} past />}
      <section className="card output-card" aria-label="Output of this run">
        <div className="output-bar">
          <OutputFilter filter={filter} onChange={setFilter} />
          <SaveOutput runId={runId} filter={filter} />
        </div>
        <RunLines runId={runId} filter={filter} />
      </section>
    </div>
  );
}

function RunSummary({ run }: { readonly run: AppRun }) {
  const { word, tone } = endText(run);
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
