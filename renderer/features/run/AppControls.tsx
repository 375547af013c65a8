import type { ReactNode } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { ActionButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { RefreshIcon, StartIcon } from '../../parts/icons.tsx';
import { runOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { isPending } from '../../slices/base/commands.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard, useDashboardStore } from '../../store/use-dashboard.ts';
import { isActive, latestInstall } from '../activity/install-jobs.ts';
import { JobProgress } from '../activity/JobProgress.tsx';
import { SettingsLink } from './SettingsLink.tsx';
import { StartRefusal } from './StartRefusal.tsx';
import { StopControl } from './StopControl.tsx';

interface AppControlsProps {
  readonly app: InstalledApp;
  readonly primary?: boolean;
  readonly withRestart?: boolean;
  /** The page shows the progress of an update elsewhere. */
  readonly progressShownElsewhere?: boolean;
  /** Without the settings link of an app that does not run, which could not be opened. */
  readonly startOnly?: boolean;
  readonly menu?: ReactNode;
}

/** Shows Start, Stop or the progress of an update, and the settings link. */
export function AppControls({
  app,
  primary = false,
  withRestart = false,
  progressShownElsewhere = false,
  startOnly = false,
  menu,
}: AppControlsProps) {
  const { name, settingsPage } = app;
  const { holdsSlot, job } = useDashboard(
    useShallow((s) => ({ holdsSlot: runOf(s.slot, name) !== null, job: latestInstall(s.jobs, { name }) })),
  );
  const working = job !== undefined && isActive(job);
  const progress = working && !progressShownElsewhere;
  return (
    <div className="app-controls">
      {progress && <JobProgress job={job} />}
      {(holdsSlot || !progress || settingsPage || menu) && (
        <div className="row">
          {holdsSlot && <StopControl />}
          {holdsSlot && withRestart && <RestartButton name={name} />}
          {!holdsSlot && !progress && <StartButton name={name} primary={primary} disabled={working} />}
          {(holdsSlot || !startOnly) && <SettingsLink app={app} />}
          {menu}
        </div>
      )}
      <StartRefusal name={name} />
    </div>
  );
}

interface StartButtonProps {
  readonly name: string;
  readonly primary: boolean;
  readonly disabled: boolean;
}

/** Enabled even while another app runs: the daemon refuses the start and says why. */
function StartButton({ name, primary, disabled }: StartButtonProps) {
  const store = useDashboardStore();
  const title = useDashboard((s) => titleOf(s, name));
  const { pending, blocked } = useCommand(`start ${name}`);
  const text = pending ? 'Starting…' : 'Start';
  return (
    <ActionButton
      variant={primary ? 'filled' : 'default'}
      leftSection={<StartIcon size={16} />}
      disabled={blocked || disabled}
      onClick={() => void store.getState().startApp(name)}
      copies={callAction('Start', 'startApp', { params: { appName: name } })}
      aria-label={`${text} ${title}`}
    >
      {text}
    </ActionButton>
  );
}

/** Stops the running app and starts it again. Disabled as soon as Stop is pressed: a restart would be refused. */
export function RestartButton({ name }: { readonly name: string }) {
  const restartApp = useDashboard((s) => s.restartApp);
  const title = useDashboard((s) => titleOf(s, name));
  const { pending, blocked } = useCommand(`start ${name}`);
  const stopping = useDashboard(isPending('stop'));
  const runs = useDashboard((s) => {
    const run = runOf(s.slot, name);
    // An app without the SDK and without a page is never known to run.
    return run?.state === 'running' || (run?.state === 'starting' && run.sdk === 'silent');
  });
  return (
    <ActionButton
      variant="default"
      leftSection={<RefreshIcon size={16} />}
      disabled={blocked || stopping || !runs}
      loading={pending}
      onClick={() => void restartApp(name)}
      copies={callAction('Restart', 'restartCurrentApp')}
      aria-label={`Restart ${title}`}
    >
      Restart
    </ActionButton>
  );
}
