import { type AppsSlice, holderOf, startupTitle } from '../../slices/apps/apps-slice.ts';
import type { RobotSlice } from '../../slices/robot/robot-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ChooseStartupApp } from '../startup-app/ChooseStartupApp.tsx';
import { CommandButton, CommandRefusal } from './CommandButton.tsx';

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

/** Tells the effect of a touch now, and for a sleeping robot. */
function touchEffect(s: AppsSlice & RobotSlice): string {
  const title = startupTitle(s);
  if (title === null) {
    return 'A touch wakes the sleeping robot for its startup app. None is chosen, so it does nothing.';
  }
  const effect = `A touch wakes the sleeping robot and starts ${title}.`;
  const holder = holderOf(s);
  if (holder !== null) return `${effect} Not now: ${holder} runs.`;
  switch (s.robot?.state) {
    case 'asleep':
      return effect;
    case 'awake':
    case 'waking':
      return `${effect} Put it to sleep to try.`;
    default:
      return `${effect} Not now.`;
  }
}

function TouchHint() {
  const effect = useDashboard(touchEffect);
  return (
    <div className="muted small">
      <span role="status">{effect}</span> <ChooseStartupApp />
    </div>
  );
}
