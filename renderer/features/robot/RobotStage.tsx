import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ChooseStartupApp } from '../startup-app/ChooseStartupApp.tsx';
import { StartupAppLink } from '../startup-app/StartupAppLink.tsx';
import { LiveRobot } from './LiveRobot.tsx';
import { RobotControls } from './RobotControls.tsx';
import { RobotStatus } from './RobotStatus.tsx';
import { connectionText, torqueText } from './robot-text.ts';
import { TouchControls } from './TouchControls.tsx';

/** The live view of the robot with its controls and facts. */
export function RobotStage({ robot }: { readonly robot: RobotState }) {
  return (
    <section className="card robot-stage" aria-label="Live view">
      <RobotStatus robot={robot} />
      <div className="robot-view">
        <div className="robot-picture">
          <LiveRobot />
        </div>
        {robot.backend !== 'lite' && <TouchControls />}
      </div>
      <RobotControls robot={robot} />
      <RobotFacts robot={robot} />
    </section>
  );
}

function RobotFacts({ robot }: { readonly robot: RobotState }) {
  const startup = useDashboard((s) => s.startupApp !== null);
  return (
    <dl className="facts">
      <div>
        <dt>Torque</dt>
        <dd>{torqueText(robot)}</dd>
      </div>
      <div>
        <dt>Connection</dt>
        <dd>{connectionText(robot)}</dd>
      </div>
      <div>
        <dt>At wake-up</dt>
        <dd>
          {startup ? (
            <>
              Starts <StartupAppLink />
            </>
          ) : (
            'No app starts'
          )}
          {'. '}
          <ChooseStartupApp />
        </dd>
      </div>
    </dl>
  );
}
