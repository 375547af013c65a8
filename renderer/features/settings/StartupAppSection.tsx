import { hrefOf } from '../../navigation/route.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { StartupAppChooser } from '../startup-app/ChooseStartupApp.tsx';

/** Chooses the app that starts by itself. */
export function StartupAppSection() {
  const hasApps = useDashboard((s) => s.installedApps.length > 0);
  return (
    <section className="card stack" aria-labelledby="startup-app">
      <h2 id="startup-app">When the robot wakes up</h2>
      <StartupAppChooser />
      {!hasApps && (
        <p className="muted small">
          No app is installed yet. <a href={hrefOf('apps', { tab: 'discover' })}>Discover apps</a>
        </p>
      )}
    </section>
  );
}
