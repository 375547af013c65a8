import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { SleepIcon, StopIcon, WakeIcon } from '../../parts/icons.tsx';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { fittingOrder, type RobotOrder, whyNot } from '../../slices/robot/robot-commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { OrderButton } from '../robot-commands/CommandButton.tsx';
import { OrderRefusal } from '../robot-commands/CommandRefusal.tsx';

const WHY = 'robot-controls-why';

/** Up or down, whichever fits, and the way to end any motion. */
export function RobotControls({ robot }: { readonly robot: RobotState }) {
  const holder = useDashboard(holderOf);
  const order = fittingOrder(robot);
  return (
    <div className="robot-controls">
      <div className="robot-buttons">
        {order === 'wakeUp' ? (
          <OrderButton key="fitting" order="wakeUp" icon={<WakeIcon size={16} />} primary describedBy={WHY}>
            Wake up
          </OrderButton>
        ) : (
          <OrderButton key="fitting" order="sleep" icon={<SleepIcon size={16} />} describedBy={WHY}>
            Put to sleep
          </OrderButton>
        )}
        <OrderButton order="stop" icon={<StopIcon size={16} />}>
          Stop motion
        </OrderButton>
      </div>
      <p id={WHY} className="robot-why muted small">
        {whatItDoes(order, robot, holder)}
      </p>
      <OrderRefusal of={['wakeUp', 'sleep', 'stop']} />
    </div>
  );
}

/** Why the fitting order cannot be given, or else what it does: there is always a line, so nothing moves. */
function whatItDoes(order: RobotOrder, robot: RobotState, holder: string | null): string {
  if (robot.state === 'disconnected') return 'Its controls work once it is connected.';
  const why = whyNot(order, robot, holder);
  if (why !== null) return why;
  return order === 'sleep' ? 'It folds, then switches its motors off.' : 'It switches its motors on and stands up.';
}
