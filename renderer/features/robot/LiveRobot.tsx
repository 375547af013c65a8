import { useDashboard } from '../../store/use-dashboard.ts';
import { RobotDrawing } from './RobotDrawing.tsx';

/** The drawing, following the robot. It alone renders with each pose. */
export function LiveRobot() {
  const pose = useDashboard((s) => s.pose);
  const state = useDashboard((s) => s.robot?.state);
  return pose && state ? <RobotDrawing pose={pose} state={state} /> : null;
}
