import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { CommandLine } from '../../parts/actions/CommandLine.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { StateWord, type Tone } from '../../parts/notes/StateWord.tsx';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CommandButton, CommandRefusal } from './CommandButton.tsx';
import { connectText, hasProblem, robotDetail, robotHeadline, takeOverText } from './robot-text.ts';
import './robot-status.css';

interface RobotStatusProps {
  readonly robot: RobotState;
  /** Whether to show its problem, which another part of the page may do. */
  readonly withProblem?: boolean;
}

export function RobotStatus({ robot, withProblem = true }: RobotStatusProps) {
  const holder = useDashboard(holderOf);
  return (
    <div className="robot-status">
      <StateWord {...robotHeadline(robot)} />
      {!hasProblem(robot) && <p className="muted small">{robotDetail(robot, holder)}</p>}
      {withProblem && <RobotProblem robot={robot} />}
      {robot.simulation === 'robot-waiting' && <p className="small">{takeOverText(holder)}</p>}
    </div>
  );
}

/**
 * Shows why the robot cannot be used and what to do: the shell command to run, if there is one, or the button that ends
 * the faults of a simulated robot.
 */
export function RobotProblem({ robot }: { readonly robot: RobotState }) {
  const { reason, action, command } = robot;
  if (!hasProblem(robot)) return null;
  return (
    <Note
      tone={toneOf(robot)}
      title={reason ?? 'The robot cannot be used.'}
      actions={
        hasSimulatedFault(robot) && (
          <CommandButton command="removeFaults" compact>
            Remove all faults
          </CommandButton>
        )
      }
    >
      {action && <p>{action}</p>}
      <CommandRefusal commands={['removeFaults']} />
      {command && <CommandLine command={command} purpose="permits the use of the robot" />}
    </Note>
  );
}

/** A simulated robot is out of reach for no other reason. */
const hasSimulatedFault = ({ backend, connected, action }: RobotState): boolean =>
  backend === 'simulation' && !connected && action !== null;

/** Without an action for the user, the robot is still connecting. */
function toneOf({ state, action }: RobotState): Tone {
  if (state === 'error') return 'failed';
  return action === null ? 'busy' : 'offline';
}

/** Explains how to use a real robot, where none was found. Below the robot, which it would push down. */
export function ConnectHelp({ robot: { simulation, action, command } }: { readonly robot: RobotState }) {
  if (simulation !== 'no-robot') return null;
  return (
    <details className="connect-help small">
      <summary>Connect a robot</summary>
      <ol>
        <li>
          <strong>Cable and power.</strong> {action} {connectText.cable}
        </li>
        <li>
          <strong>Then wait a moment.</strong> {connectText.wait}
        </li>
        {command && (
          <li>
            <strong>Permission.</strong> {connectText.permission}
            <CommandLine command={command} purpose="permits the use of the robot" />
          </li>
        )}
        <li>
          <strong>No robot at hand?</strong> {connectText.simulated}
        </li>
      </ol>
    </details>
  );
}
