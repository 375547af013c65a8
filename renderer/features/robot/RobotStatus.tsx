import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ConnectHelp } from './ConnectHelp.tsx';
import { RobotProblem } from './RobotProblem.tsx';
import { hasProblem, robotDetail, robotHeadline } from './robot-text.ts';
import './robot-status.css';

interface RobotStatusProps {
  readonly robot: RobotState;
  /** Whether to show its problem, which another part of the page may do. */
  readonly withProblem?: boolean;
}

/** Shows the robot's state, with its activity or its problem. */
export function RobotStatus({ robot, withProblem = true }: RobotStatusProps) {
  const holder = useDashboard(holderOf);
  const { word, tone } = robotHeadline(robot);
  return (
    <div className="robot-status">
      <StateWord tone={tone}>{word}</StateWord>
      {!hasProblem(robot) && <p className="muted small">{robotDetail(robot, holder)}</p>}
      {withProblem && <RobotProblem robot={robot} />}
      {robot.simulation === 'no-robot' && <ConnectHelp robot={robot} />}
      {robot.simulation === 'robot-waiting' && (
        <p className="small">The robot takes over {holder === null ? 'in a moment' : `when ${holder} ends`}.</p>
      )}
    </div>
  );
}
