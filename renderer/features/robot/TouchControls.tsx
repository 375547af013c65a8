import { hrefOf } from '../../navigation/route.ts';
import { startupTitle } from '../../slices/apps/apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CommandButton } from '../robot-commands/CommandButton.tsx';
import { CommandRefusal } from '../robot-commands/CommandRefusal.tsx';

/** Touches the antennas of a simulated robot. The robot's right is on the left, as in the drawing. */
export function TouchControls() {
  return (
    <section className="robot-touch" aria-label="Touch">
      <div className="robot-antennas">
        <CommandButton command="touchRight" compact name="Touch right antenna">
          Touch right
        </CommandButton>
        <CommandButton command="touchLeft" compact name="Touch left antenna">
          Touch left
        </CommandButton>
      </div>
      <TouchHint />
      <CommandRefusal commands={['touchRight', 'touchLeft']} />
    </section>
  );
}

function TouchHint() {
  const title = useDashboard(startupTitle);
  return (
    <p className="muted small">
      {title === null ? (
        <>
          Touching an antenna wakes the sleeping robot and starts the startup app. None is chosen yet:{' '}
          <a href={hrefOf('apps')}>choose one</a>.
        </>
      ) : (
        `Touching an antenna wakes the sleeping robot and starts ${title}.`
      )}
    </p>
  );
}
