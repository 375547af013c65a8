import { useState } from 'react';
import type { Motor } from '../../../daemon/contract/robot/robot.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { whyNot } from '../../slices/robot/robot-commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { OrderButton } from '../robot-commands/CommandButton.tsx';
import { OrderRefusal } from '../robot-commands/CommandRefusal.tsx';
import { MotorTable } from './MotorTable.tsx';
import { SwitchOffDialog } from './SwitchOffDialog.tsx';
import { useMotors } from './use-motors.ts';

/** One row a motor, and the one switch for all of them. */
export function MotorsPanel() {
  const motors = useMotors();
  const failure = useDashboard((s) => s.motorsFailure);
  return (
    <section className="card stack motors-panel" aria-label="Motors">
      {failure && <Note tone="failed" title={failure.message} />}
      {motors && <MotorTable motors={motors} />}
      {motors && <MotorSwitch motors={motors} />}
      <OrderRefusal of={['motorsOn', 'motorsOff']} />
    </section>
  );
}

const WHY = 'motor-switch-why';

/** Off only after it was said what that does; on at once, since then they hold where they stand. */
function MotorSwitch({ motors }: { readonly motors: readonly Motor[] }) {
  const [asking, setAsking] = useState(false);
  const order = motors.some(({ torque }) => torque) ? 'motorsOff' : 'motorsOn';
  const why = useDashboard((s) => s.robot && whyNot(order, s.robot, holderOf(s)));
  return (
    <div className="row">
      {order === 'motorsOff' ? (
        <OrderButton key="switch" order="motorsOff" describedBy={WHY} onPress={() => setAsking(true)}>
          Switch motors off…
        </OrderButton>
      ) : (
        <OrderButton key="switch" order="motorsOn" describedBy={WHY}>
          Switch motors on
        </OrderButton>
      )}
      <p id={WHY} className="muted small">
        {why ?? (order === 'motorsOff' ? 'They hold the robot where it is.' : 'They will hold the robot where it is.')}
      </p>
      <SwitchOffDialog opened={asking} onClose={() => setAsking(false)} />
    </div>
  );
}
