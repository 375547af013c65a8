import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { RobotPose, RobotState } from '../../../daemon/contract/robot/robot.ts';
import { type CommandsSlice, type SendCommand, withoutRefusals } from '../base/commands.ts';
import type { Reducers } from '../base/slice.ts';
import { type RobotOrder, robotOrders } from './robot-commands.ts';

export interface RobotSlice {
  /** null until the first snapshot. */
  readonly robot: RobotState | null;
  /** Changes up to 20 times a second: select it only where it is drawn. */
  readonly pose: RobotPose | null;
  readonly orderRobot: (order: RobotOrder) => Promise<unknown>;
}

export function createRobotSlice(send: SendCommand, daemon: DaemonClient): RobotSlice {
  return {
    robot: null,
    pose: null,
    orderRobot: (order) => send<unknown>('robot', () => robotOrders[order](daemon), order),
  };
}

export const robotReducers: Reducers<RobotSlice & CommandsSlice> = {
  snapshot: (before, { snapshot: { robot, pose } }) => ({ ...stateAfter(before, robot), pose }),
  'robot.changed': (before, { robot }) => stateAfter(before, robot),
  'robot.pose': (_, { pose }) => ({ pose }),
  'app-slot.changed': (before, { slot }) => (slot.state === 'free' ? withoutRefusals(before, 'robot') : {}),
};

/** Nothing is heard of the robot: its pose is that of when it was last seen. */
export const isGone = ({ robot }: RobotSlice): boolean => robot !== null && !robot.connected;

/** A refusal was true of the robot as it was: one that sets out for another state, or is well again, has left it behind. */
function stateAfter(slice: RobotSlice & CommandsSlice, robot: RobotState): Partial<RobotSlice & CommandsSlice> {
  const before = slice.robot;
  const setsOut = robot.state === 'waking' || robot.state === 'going-to-sleep';
  const wasUnwell = before?.state === 'error' || before?.state === 'disconnected';
  const outdated = robot.state !== before?.state && (setsOut || wasUnwell);
  return { robot, ...(outdated ? withoutRefusals(slice, 'robot') : {}) };
}
