import { useState } from 'react';
import type { Motor } from '../../../daemon/contract/robot/robot.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { blockedReason } from '../../slices/robot/robot-commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CommandButton } from '../robot-commands/CommandButton.tsx';
import { CommandRefusal } from '../robot-commands/CommandRefusal.tsx';
import { MotorTable } from './MotorTable.tsx';
import { SwitchOffDialog } from './SwitchOffDialog.tsx';
import { useMotors } from './use-motors.ts';

/** Lists the motors, with one switch for all of them. */
export function MotorsPanel() {
  const motors = useMotors();
  const failure = useDashboard((s) => s.motorsFailure);
  return (
    <section className="card stack motors-panel" aria-label="Motors">
      {failure && <Note tone="failed" title={failure.message} />}
      {motors && <MotorTable motors={motors} />}
      {motors && <MotorSwitch motors={motors} />}
      <CommandRefusal commands={['motorsOn', 'motorsOff']} />
    </section>
  );
}

const HINT_ID = 'motor-switch-hint';

/** Switching off asks for confirmation; switching on is safe, since the motors hold their position. */
function MotorSwitch({ motors }: { readonly motors: readonly Motor[] }) {
  const [confirming, setConfirming] = useState(false);
  const command = motors.some(({ torque }) => torque) ? 'motorsOff' : 'motorsOn';
  const reason = useDashboard((s) => s.robot && blockedReason(command, s.robot, holderOf(s)));
  return (
    <div className="row">
      {command === 'motorsOff' ? (
        <CommandButton key="switch" command="motorsOff" describedBy={HINT_ID} onPress={() => setConfirming(true)}>
          Switch motors off…
        </CommandButton>
      ) : (
        <CommandButton key="switch" command="motorsOn" describedBy={HINT_ID}>
          Switch motors on
        </CommandButton>
      )}
      <p id={HINT_ID} className="muted small">
        {reason ??
          (command === 'motorsOff' ? 'They hold the robot where it is.' : 'They will hold the robot where it is.')}
      </p>
      <SwitchOffDialog opened={confirming} onClose={() => setConfirming(false)} />
    </div>
  );
}
