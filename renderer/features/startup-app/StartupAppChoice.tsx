import { hrefOf } from '../../navigation/route.ts';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';

/** No app has an empty name. */
const NONE = '';

/** Chooses the startup app among the installed ones, or none. Shows the daemon's state, so it moves once it is saved. */
export function StartupAppChoice() {
  const apps = useDashboard((s) => s.installedApps);
  const chosen = useDashboard((s) => s.startupApp);
  const setStartup = useDashboard((s) => s.setStartup);
  if (apps.length === 0) {
    return (
      <p>
        No app is installed. <a href={hrefOf('apps', { tab: 'samples' })}>Install one</a>, then choose it here.
      </p>
    );
  }
  const choose = (name: string) => void (name === NONE ? setStartup(chosen ?? NONE, false) : setStartup(name, true));
  const choices = apps.map(({ name, title, description }) => ({ value: name, label: title, description }));
  return (
    <>
      <RadioList
        legend="Starts at the first wake-up after the daemon starts, and when an antenna of the sleeping robot is touched"
        choices={[{ value: NONE, label: 'No app' }, ...choices]}
        chosen={chosen ?? NONE}
        onChoose={choose}
      />
      <RefusalNote commandKey="startup" />
    </>
  );
}
