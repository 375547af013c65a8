import { useDashboard } from '../../store/use-dashboard.ts';
import { RobotDrawing } from './RobotDrawing.tsx';

/** The drawing of the robot. The only component that renders with each pose. */
export function LiveRobot() {
  const pose = useDashboard((s) => s.pose);
  const state = useDashboard((s) => s.robot?.state);
  const unplugged = useDashboard(({ robot }) => robot?.state === 'disconnected' && robot.action !== null);
  return pose && state ? <RobotDrawing pose={pose} state={state} unplugged={unplugged} /> : null;
}
