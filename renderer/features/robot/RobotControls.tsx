import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { SleepIcon, StopIcon, WakeIcon } from '../../parts/icons.tsx';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { blockedReason, type RobotCommand, suggestedCommand } from '../../slices/robot/robot-commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CommandButton, CommandRefusal } from './CommandButton.tsx';

const HINT_ID = 'robot-controls-hint';

/** Wake up or Put to sleep, whichever the state suggests, and Stop motion. */
export function RobotControls({ robot }: { readonly robot: RobotState }) {
  const holder = useDashboard(holderOf);
  const command = suggestedCommand(robot);
  return (
    <div className="robot-controls">
      <div className="robot-buttons">
        {command === 'wakeUp' ? (
          <CommandButton key="fitting" command="wakeUp" icon={<WakeIcon size={16} />} primary describedBy={HINT_ID}>
            Wake up
          </CommandButton>
        ) : (
          <CommandButton key="fitting" command="sleep" icon={<SleepIcon size={16} />} describedBy={HINT_ID}>
            Put to sleep
          </CommandButton>
        )}
        <CommandButton command="stop" icon={<StopIcon size={16} />}>
          Stop motion
        </CommandButton>
      </div>
      <p id={HINT_ID} className="robot-hint muted small">
        {commandHint(command, robot, holder)}
      </p>
      <CommandRefusal commands={['wakeUp', 'sleep', 'stop']} />
    </div>
  );
}

/** Says why the suggested command is blocked, else what it does. Never empty, so that the layout does not jump. */
function commandHint(command: RobotCommand, robot: RobotState, holder: string | null): string {
  if (robot.state === 'disconnected') return 'Its controls work once it is connected.';
  const reason = blockedReason(command, robot, holder);
  if (reason !== null) return reason;
  return command === 'sleep' ? 'It folds, then switches its motors off.' : 'It switches its motors on and stands up.';
}
