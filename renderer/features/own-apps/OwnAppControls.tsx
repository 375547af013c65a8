import type { ReactNode } from 'react';
import type { OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { StartIcon, StopIcon } from '../../parts/icons.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { Elapsed } from '../../parts/Times.tsx';
import { runOf } from '../../slices/apps/apps-slice.ts';
import { isBeingStopped } from '../../slices/apps/own-apps-slice.ts';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { JobProgress } from '../activity/JobProgress.tsx';
import { SettingsLink } from '../run/SettingsLink.tsx';
import { RefusedStart, replaceableApp } from '../run/StartRefusal.tsx';
import { beingStopped, installedElsewhere, ownAppState, runsAsInstalled } from './own-app-text.ts';

interface OwnAppControlsProps {
  readonly app: OwnApp;
  readonly primary?: boolean;
  readonly menu?: ReactNode;
}

/** Shows Run, the progress of what comes before it, or Stop; and the settings link while the app runs. */
export function OwnAppControls({ app, primary = false, menu }: OwnAppControlsProps) {
  const { id, name, title, exists, run } = app;
  const job = useDashboard((s) => s.jobs.find((each) => each.id === run.jobId));
  const installed = useDashboard((s) => s.installedApps.find((each) => each.name === name));
  const isStarting = useDashboard((s) => ['run', 'replace'].some((command) => isPending(`own-run ${id}`, command)(s)));
  const isStopping = useDashboard(isBeingStopped(app));
  const runOwnApp = useDashboard((s) => s.runOwnApp);
  const stopOwnApp = useDashboard((s) => s.stopOwnApp);
  const isOff = run.state === 'off' && !isStopping;
  const runText = isStarting ? 'Starting…' : run.state === 'waiting' ? 'Run again' : 'Run';
  const stopText = isStopping ? 'Stopping…' : 'Stop';
  return (
    <div className="app-controls">
      {run.state === 'preparing' && job ? (
        <JobProgress job={job} name={title} />
      ) : (
        <div className="row">
          {(isOff || (run.state === 'waiting' && !isStopping)) && (
            // Enabled even while another app runs: the daemon refuses the start, and the page asks whether to replace it.
            <SendButton
              size="sm"
              variant={primary && isOff ? 'filled' : 'default'}
              leftSection={<StartIcon size={16} />}
              disabled={isStarting || name === null || !exists}
              onClick={() => void runOwnApp(id)}
              copies={callAction('Run', 'runOwnApp', { params: { ownAppId: id } })}
              aria-label={`${runText} ${title}`}
            >
              {runText}
            </SendButton>
          )}
          {!isOff && (
            <SendButton
              size="sm"
              leftSection={<StopIcon size={16} />}
              disabled={isStopping}
              onClick={() => void stopOwnApp(id)}
              copies={callAction('Stop', 'stopOwnApp', { params: { ownAppId: id } })}
              aria-label={`${stopText} ${title}`}
            >
              {stopText}
            </SendButton>
          )}
          {!isOff && installed && <SettingsLink app={installed} />}
          {menu}
        </div>
      )}
      <RunRefusal app={app} />
    </div>
  );
}

/** Shows why the run or its stop was refused; asks, if another app runs. */
function RunRefusal({ app }: { readonly app: OwnApp }) {
  const { id, name } = app;
  const key = `own-run ${id}` as const;
  const refusal = useDashboard(refusalOf(key));
  const isOfRun = useDashboard((s) => refusalOf(key, ['run', 'replace'])(s) !== null);
  const runOwnApp = useDashboard((s) => s.runOwnApp);
  const running = useDashboard(replaceableApp);
  const installed = useDashboard((s) => s.installedApps.find((each) => each.name === name));
  if (!refusal) return null;
  return (
    <RefusedStart
      commandKey={key}
      name={name}
      refusal={refusal}
      running={isOfRun ? running : null}
      same={running === name ? runsAsInstalled(installedElsewhere(app, installed)) : undefined}
      onReplace={() => void runOwnApp(id, true)}
    />
  );
}

/** The state of an own app, with the elapsed time of its run. */
export function OwnAppState({ app }: { readonly app: OwnApp }) {
  const slot = useDashboard((s) => s.slot);
  const stopping = useDashboard(isBeingStopped(app));
  const state = stopping ? beingStopped : ownAppState(app, slot);
  const run = app.run.state === 'running' && app.name !== null ? runOf(slot, app.name) : null;
  return (
    <span className="row app-state">
      <StateWord {...state} lasting={app.run.state === 'off' && state.tone !== 'running'} />
      {run?.state === 'running' && <Elapsed since={run.since} />}
    </span>
  );
}
