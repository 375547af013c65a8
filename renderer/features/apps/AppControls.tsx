import { Button } from '@mantine/core';
import type { InstalledApp } from '../../../daemon/contract/apps.ts';
import { StartIcon } from '../../parts/icons.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive, latestInstall } from '../activity/install-jobs.ts';
import { JobProgress } from '../activity/JobProgress.tsx';
import { isConnected } from '../connection/connection-slice.ts';
import { runOf } from './apps-slice.ts';
import { SettingsLink } from './SettingsLink.tsx';
import { StartRefusal } from './StartRefusal.tsx';
import { StopControl } from './StopControl.tsx';

interface AppControlsProps {
  readonly app: InstalledApp;
  /** The one thing to do on this screen. */
  readonly primary?: boolean;
}

/** Start, Stop, or the progress of its update: whichever makes sense, in one place. */
export function AppControls({ app, primary = false }: AppControlsProps) {
  const mine = useDashboard((s) => runOf(s.slot, app.name) !== null);
  const job = useDashboard((s) => latestInstall(s.jobs, { name: app.name, address: app.source.path }));
  if (job && isActive(job)) return <JobProgress job={job} name={app.name} />;
  return (
    <div className="app-controls">
      <div className="row">
        {mine ? <StopControl /> : <StartButton name={app.name} primary={primary} />}
        <SettingsLink app={app} />
      </div>
      <StartRefusal name={app.name} />
    </div>
  );
}

/** Never disabled by another app that runs: the daemon decides, and says why. */
export function StartButton({ name, primary }: { readonly name: string; readonly primary: boolean }) {
  const startApp = useDashboard((s) => s.startApp);
  const asked = useDashboard((s) => s.startsAsked.includes(name));
  const connected = useDashboard(isConnected);
  return (
    <Button
      variant={primary ? 'filled' : 'default'}
      leftSection={<StartIcon size={16} />}
      disabled={!connected || asked}
      onClick={() => void startApp(name)}
      aria-label={`Start ${name}`}
    >
      {asked ? 'Starting…' : 'Start'}
    </Button>
  );
}
