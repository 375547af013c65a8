import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { RobotProblem } from './RobotProblem.tsx';
import { hasProblem, robotDetail, robotStateText } from './robot-text.ts';
import './robot-status.css';

/** Shows the robot's state, with its activity or its problem. */
export function RobotStatus({ robot }: { readonly robot: RobotState }) {
  const holder = useDashboard(holderOf);
  const { word, tone } = robotStateText(robot.state);
  return (
    <div className="robot-status">
      <StateWord tone={tone}>{word}</StateWord>
      {hasProblem(robot) ? <RobotProblem robot={robot} /> : <p className="muted small">{robotDetail(robot, holder)}</p>}
    </div>
  );
}
