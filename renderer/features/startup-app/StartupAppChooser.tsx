import { NativeSelect } from '@mantine/core';
import { Note } from '../../parts/notes/Note.tsx';
import { refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** Chooses the startup app among the installed ones, or none. Shows the daemon's state, so it changes when it is saved. */
export function StartupAppChooser() {
  const chosen = useDashboard((s) => s.startupApp);
  const apps = useDashboard((s) => s.installedApps);
  const refusal = useDashboard(refusalOf('startup'));
  const setStartup = useDashboard((s) => s.setStartup);
  const connected = useDashboard(isConnected);
  const options = apps
    .map(({ name, title }) => ({ value: name, label: title === name ? name : `${title} (${name})` }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  // Chosen, and still being installed.
  const missing = chosen !== null && !apps.some(({ name }) => name === chosen) ? [chosen] : [];
  function choose(name: string): void {
    if (name !== '') void setStartup(name, true);
    else if (chosen !== null) void setStartup(chosen, false);
  }
  return (
    <div className="stack">
      <NativeSelect
        size="md"
        label="Startup app"
        description="It starts at the first wake-up after the daemon starts, and when an antenna of the sleeping robot is touched."
        data={[{ value: '', label: 'None' }, ...options, ...missing]}
        value={chosen ?? ''}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        disabled={!connected}
        data-autofocus
      />
      {refusal && <Note tone="failed" urgent title={refusal.message} />}
    </div>
  );
}
