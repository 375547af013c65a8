import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { RobotPose, RobotState } from '../../../daemon/contract/robot.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import type { Reducers, SetState } from '../../store/slice.ts';
import { type RobotOrder, robotOrders } from './robot-orders.ts';

export interface RobotSlice {
  /** null until the first snapshot. */
  readonly robot: RobotState | null;
  /** Changes up to 20 times a second: select it only where it is drawn. */
  readonly pose: RobotPose | null;
  /** Orders that were given and not answered yet. */
  readonly robotOrdersAsked: readonly RobotOrder[];
  /** The last order, if it was refused, and why. */
  readonly robotRefusal: { readonly order: RobotOrder; readonly error: DaemonError } | null;
  readonly orderRobot: (order: RobotOrder) => Promise<void>;
  readonly dismissRobotRefusal: () => void;
}

export function createRobotSlice(set: SetState<RobotSlice>, daemon: DaemonClient): RobotSlice {
  return {
    robot: null,
    pose: null,
    robotOrdersAsked: [],
    robotRefusal: null,
    async orderRobot(order) {
      set(({ robotOrdersAsked }) => ({ robotOrdersAsked: [...robotOrdersAsked, order], robotRefusal: null }));
      try {
        await robotOrders[order](daemon);
      } catch (error) {
        set({ robotRefusal: { order, error: asDaemonError(error) } });
      } finally {
        set(({ robotOrdersAsked }) => ({ robotOrdersAsked: robotOrdersAsked.filter((asked) => asked !== order) }));
      }
    },
    dismissRobotRefusal: () => set({ robotRefusal: null }),
  };
}

export const robotReducers: Reducers<RobotSlice> = {
  snapshot: (before, { snapshot: { robot, pose } }) => ({ ...stateAfter(before, robot), pose }),
  'robot.changed': (before, { robot }) => stateAfter(before, robot),
  'robot.pose': (_, { pose }) => ({ pose }),
  'app-slot.changed': (_, { slot }) => (slot.state === 'free' ? { robotRefusal: null } : {}),
};

/** Nothing is heard of the robot: its pose is that of when it was last seen. */
export const isGone = ({ robot }: RobotSlice): boolean => robot !== null && !robot.connected;

/** A refusal was true of the robot as it was: one that sets out for another state, or is well again, has left it behind. */
function stateAfter({ robot: before }: RobotSlice, robot: RobotState): Partial<RobotSlice> {
  const setsOut = robot.state === 'waking' || robot.state === 'going-to-sleep';
  const wasUnwell = before?.state === 'error' || before?.state === 'disconnected';
  const outdated = robot.state !== before?.state && (setsOut || wasUnwell);
  return { robot, ...(outdated ? { robotRefusal: null } : {}) };
}
