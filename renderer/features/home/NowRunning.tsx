import { hrefOf } from '../../navigation/route.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { Elapsed } from '../../parts/Times.tsx';
import { holderName, holderOf } from '../../slices/apps/apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { RestartButton } from '../run/AppControls.tsx';
import { RunNotes } from '../run/RunNotes.tsx';
import { SettingsLink } from '../run/SettingsLink.tsx';
import { StopControl } from '../run/StopControl.tsx';
import { AppEndpoints } from './AppEndpoints.tsx';
import { OutputTail } from './OutputTail.tsx';

/** Shows the program that holds the app slot. */
export function NowRunning() {
  const slot = useDashboard((s) => s.slot);
  const name = slot.state === 'free' ? '' : holderName(slot.holder);
  const app = useDashboard((s) => s.installedApps.find((each) => each.name === name));
  const title = useDashboard(holderOf) ?? '';
  if (slot.state === 'free') return null;
  const managed = slot.holder.kind === 'managed-app';
  return (
    <section className="card stack" aria-labelledby="now-title">
      <div className="home-running">
        <div className="home-app-text">
          <h2 id="now-title">
            {managed ? (
              <a href={hrefOf('apps', { appName: name })}>
                <Foreign>{title}</Foreign>
              </a>
            ) : (
              <Foreign>{title}</Foreign>
            )}
          </h2>
          <span className="row">
            <StateWord tone={slot.state === 'running' ? 'running' : 'busy'}>{slot.state}</StateWord>
            <Elapsed since={slot.since} />
          </span>
        </div>
        <div className="row">
          <StopControl />
          {managed && <RestartButton name={name} />}
          {managed && app && <SettingsLink app={app} />}
        </div>
      </div>
      {managed ? (
        <>
          <RunNotes name={name} />
          {app && app.needs.length > 0 && <AppEndpoints needs={app.needs} />}
          <OutputTail appName={name} />
        </>
      ) : (
        <p className="muted">
          {slot.holder.kind === 'local-app' ? 'A program on this machine' : 'A remote session'} moves the robot. It was
          not started here: stop it where it was started.
        </p>
      )}
    </section>
  );
}
