import { Switch } from '@mantine/core';
import { Note } from '../../parts/notes/Note.tsx';
import { startupTitle } from '../../slices/apps/apps-slice.ts';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

const LABEL = 'Start when the robot wakes up';

/** Makes the app the startup app. Shows the daemon's state, so it moves when the change is saved. */
export function StartupAppSwitch({ name }: { readonly name: string }) {
  const chosen = useDashboard((s) => s.startupApp);
  const chosenTitle = useDashboard(startupTitle);
  const refusal = useDashboard(refusalOf('startup', [name]));
  const setStartup = useDashboard((s) => s.setStartup);
  const pending = useDashboard(isPending('startup'));
  const connected = useDashboard(isConnected);
  const another = chosenTitle !== null && chosen !== name;
  return (
    <div className="stack">
      <Switch
        checked={chosen === name}
        onChange={(event) => void setStartup(name, event.currentTarget.checked)}
        disabled={!connected || pending}
        aria-busy={pending}
        label={LABEL}
        // Without it, the accessible name would include the description.
        aria-label={LABEL}
        description={`At the first wake-up after the daemon starts, and when an antenna of the sleeping robot is touched.${
          another ? ` Chosen now: ${chosenTitle}.` : ''
        }`}
      />
      {refusal && <Note tone="failed" urgent title={refusal.message} />}
    </div>
  );
}
