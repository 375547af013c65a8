import type { RobotState } from '../../../daemon/contract/robot.ts';
import { StateWord } from '../../parts/StateWord.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { holderOf } from '../apps/apps-slice.ts';
import { robotDetail, robotWords } from './robot-words.ts';

export function RobotStateList({ robot }: { readonly robot: RobotState }) {
  const mover = useDashboard(holderOf);
  const { word, tone } = robotWords(robot.state);
  return (
    <dl className="facts">
      <div>
        <dt>State</dt>
        <dd>
          <StateWord tone={tone}>{word}</StateWord>
        </dd>
      </div>
      <div>
        <dt>{robot.reason ? 'Reason' : 'Motion'}</dt>
        <dd>{robotDetail(robot, mover)}</dd>
      </div>
      <div>
        <dt>Torque</dt>
        <dd>{robot.torque ? 'On' : 'Off: the joints can be moved by hand'}</dd>
      </div>
      <div>
        <dt>Connected by</dt>
        <dd>{robot.backend === 'lite' ? 'USB' : 'Nothing: it is a simulation'}</dd>
      </div>
    </dl>
  );
}
