import { useState } from 'react';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import { hrefOf } from '../../navigation/route.ts';
import { duration } from '../../parts/format.ts';
import { BackIcon } from '../../parts/icons.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { runOf } from '../../slices/apps/apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { noFilter, OutputFilter } from '../output/OutputFilter.tsx';
import { CrashNote } from '../run/CrashNote.tsx';
import { endedAbnormally, endText, exitText } from '../run/run-text.ts';
import { useSeen } from '../run/use-ended-run.ts';
import { RunLines } from './RunLines.tsx';
import { SaveOutput } from './SaveOutput.tsx';
import '../output/output.css';

interface RunOutputProps {
  readonly appName: string;
  readonly runId: string;
  /** Undefined while the list loads, while it runs, or if it is no longer listed. */
  readonly run: AppRun | undefined;
}

/** Shows everything that is kept of the output of one run, by pages. */
export function RunOutput({ appName, runId, run }: RunOutputProps) {
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
