import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { CommandLine } from '../../parts/CommandLine.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import type { Tone } from '../../parts/notes/StateWord.tsx';
import { hasProblem } from './robot-text.ts';

/** Shows why the robot cannot be used, what to do, and the shell command to run, if there is one. */
export function RobotProblem({ robot }: { readonly robot: RobotState }) {
  const { reason, action, command } = robot;
  if (!hasProblem(robot)) return null;
  return (
    <Note tone={toneOf(robot)} title={reason ?? 'The robot cannot be used.'}>
      {action && <p>{action}</p>}
      {command && <CommandLine command={command} purpose="permits the use of the robot" />}
    </Note>
  );
}

/** Without an action for the user, the robot is still connecting. */
function toneOf({ state, action }: RobotState): Tone {
  if (state === 'error') return 'failed';
  return action === null ? 'busy' : 'offline';
}
