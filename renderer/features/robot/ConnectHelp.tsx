import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { CommandLine } from '../../parts/CommandLine.tsx';

/** How to have a real robot in the place of the simulated one. */
export function ConnectHelp({ robot: { action, command } }: { readonly robot: RobotState }) {
  return (
    <details className="connect-help small">
      <summary>Connect a robot</summary>
      <ol>
        <li>
          <strong>Cable and power.</strong> {action} A cable that only charges does not do.
        </li>
        <li>
          <strong>Then wait a moment.</strong> It takes over by itself, when no app runs.
        </li>
        {command && (
          <li>
            <strong>Permission.</strong> If it is connected and still not found or not allowed, run this once in a
            terminal, then unplug it and plug it in again.
            <CommandLine command={command} purpose="permits the use of the robot" />
          </li>
        )}
        <li>
          <strong>No robot at hand?</strong> Everything works with the simulated one. Start the daemon with{' '}
          <code>--sim</code> to choose it.
        </li>
      </ol>
    </details>
  );
}
