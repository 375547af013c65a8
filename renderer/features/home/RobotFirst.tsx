import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { hrefOf } from '../../navigation/route.ts';
import { WakeIcon } from '../../parts/icons.tsx';
import { CommandButton, CommandRefusal } from '../robot/CommandButton.tsx';
import { RobotProblem } from '../robot/RobotStatus.tsx';

/** The next step while the robot cannot be used: no app can move it before. Shows the cause, what to do, and Wake up. */
export function RobotFirst({ robot }: { readonly robot: RobotState }) {
  return (
    <section className="card stack" aria-labelledby="robot-first">
      <div className="home-head">
        <h2 id="robot-first">Get the robot ready</h2>
        <a href={hrefOf('robot')}>See the robot</a>
      </div>
      <RobotProblem robot={robot} />
      {robot.connected && (
        <div>
          <CommandButton command="wakeUp" icon={<WakeIcon size={16} />} primary>
            Wake up
          </CommandButton>
        </div>
      )}
      <CommandRefusal commands={['wakeUp']} />
    </section>
  );
}
