import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { CopyMenu, callAction } from '../../parts/actions/CopyMenu.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { StopIcon } from '../../parts/icons.tsx';
import { holderOf, startupTitle } from '../../slices/apps/apps-slice.ts';
import { blockedReason, suggestedCommand } from '../../slices/robot/robot-commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CommandButton, CommandRefusal } from './CommandButton.tsx';
import { LiveRobot } from './RobotDrawing.tsx';
import { ConnectHelp, RobotStatus } from './RobotStatus.tsx';
import { commandHelp, connectionText, notReadyText, torqueText, touchText } from './robot-text.ts';
import { ChooseStartupApp } from './StartupApp.tsx';
import { StartupAppLink } from './StartupAppLink.tsx';
import { WakeOrSleep } from './WakeOrSleep.tsx';

export function RobotStage({ robot }: { readonly robot: RobotState }) {
  return (
    <section className="card robot-stage" aria-label="Live view">
      <RobotStatus robot={robot} />
      <div className="stack robot-view">
        <div className="robot-picture">
          <LiveRobot />
        </div>
        {robot.backend !== 'lite' && <TouchControls />}
      </div>
      <RobotControls robot={robot} />
      <RobotFacts robot={robot} />
      <ConnectHelp robot={robot} />
    </section>
  );
}

function RobotFacts({ robot }: { readonly robot: RobotState }) {
  const startup = useDashboard((s) => s.startupApp !== null);
  return (
    <dl className="facts">
      <Fact name="Torque">{torqueText(robot)}</Fact>
      <Fact name="Connection">{connectionText(robot)}</Fact>
      <Fact name="At wake-up">
        {startup ? (
          <>
            Starts <StartupAppLink />
          </>
        ) : (
          'No app starts'
        )}
        {/* The touch of a simulated robot has it, too. */}
        {robot.backend === 'lite' && (
          <>
            {'. '}
            <ChooseStartupApp />
          </>
        )}
      </Fact>
    </dl>
  );
}

const HINT_ID = 'robot-controls-hint';

/** Wake up or Put to sleep, whichever the state suggests, and Stop motion. */
function RobotControls({ robot }: { readonly robot: RobotState }) {
  const holder = useDashboard(holderOf);
  const command = suggestedCommand(robot);
  return (
    <div className="stack robot-controls">
      <div className="robot-buttons">
        <WakeOrSleep robot={robot} wakeIsPrimary describedBy={HINT_ID} />
        <CommandButton command="stop" icon={<StopIcon size={16} />}>
          Stop motion
        </CommandButton>
      </div>
      <div className="row bar robot-hint">
        <p id={HINT_ID} className="muted small">
          {commandHint(command, robot, holder)}
        </p>
        <CopyMenu
          of="the robot"
          actions={[
            command === 'wakeUp' ? callAction('Wake up', 'wakeUpRobot') : callAction('Put to sleep', 'putRobotToSleep'),
            callAction('Stop motion', 'stopRobot'),
          ]}
        />
      </div>
      <CommandRefusal commands={['wakeUp', 'sleep', 'stop']} />
    </div>
  );
}

/** Says why the suggested command is blocked, else what it does. Never empty, so that the layout does not jump. */
function commandHint(command: keyof typeof commandHelp, robot: RobotState, holder: string | null): string {
  if (!robot.connected) return notReadyText;
  return blockedReason(command, robot, holder) ?? commandHelp[command];
}

/** Touches the antennas of a simulated robot. The robot's right is on the left, as in the drawing. */
function TouchControls() {
  return (
    <section className="stack robot-touch" aria-label="Touch">
      <div className="robot-antennas">
        <CommandButton command="touchRight" compact name="Touch right antenna">
          Touch right
        </CommandButton>
        <CommandButton command="touchLeft" compact name="Touch left antenna">
          Touch left
        </CommandButton>
      </div>
      <TouchHint />
      <CommandRefusal commands={['touchRight', 'touchLeft']} />
    </section>
  );
}

function TouchHint() {
  const effect = useDashboard((s) => touchText(startupTitle(s), holderOf(s), s.robot?.state));
  return (
    <div className="muted small">
      <span role="status">{effect}</span> <ChooseStartupApp />
    </div>
  );
}
