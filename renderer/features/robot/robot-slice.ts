import type { DaemonEvent } from '../../../daemon/contract/events.ts';
import type { RobotPose, RobotState } from '../../../daemon/contract/robot.ts';

export interface RobotSlice {
  /** null until the first snapshot. */
  readonly robot: RobotState | null;
  /** Changes up to 20 times a second: select it only where it is drawn. */
  readonly pose: RobotPose | null;
}

export const createRobotSlice = (): RobotSlice => ({ robot: null, pose: null });

export function robotAfter(event: DaemonEvent): Partial<RobotSlice> {
  switch (event.type) {
    case 'snapshot':
      return { robot: event.snapshot.robot, pose: event.snapshot.pose };
    case 'robot.changed':
      return { robot: event.robot };
    case 'robot.pose':
      return { pose: event.pose };
    default:
      return {};
  }
}
