import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { SleepIcon, WakeIcon } from '../../parts/icons.tsx';
import { suggestedCommand } from '../../slices/robot/robot-commands.ts';
import { CommandButton } from './CommandButton.tsx';

interface WakeOrSleepProps {
  readonly robot: RobotState;
  /** Whether to wake the robot is the page's primary action. */
  readonly wakeIsPrimary?: boolean;
  /** The id of the element that says why the button is blocked. */
  readonly describedBy?: string;
}

/** Wake up or Put to sleep, whichever the robot's state suggests. */
export function WakeOrSleep({ robot, wakeIsPrimary = false, ...props }: WakeOrSleepProps) {
  const command = suggestedCommand(robot);
  const wakes = command === 'wakeUp';
  return (
    <CommandButton
      {...props}
      command={command}
      icon={wakes ? <WakeIcon size={16} /> : <SleepIcon size={16} />}
      primary={wakes && wakeIsPrimary}
    >
      {wakes ? 'Wake up' : 'Put to sleep'}
    </CommandButton>
  );
}
