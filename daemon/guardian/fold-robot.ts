import { setTimeout as sleep } from 'node:timers/promises';
import type { Robot } from '../robot/robot.ts';
import { settlesWithin } from '../shared/async/settles-within.ts';
import type { RescuedRobot } from './unexpected-end.ts';

export interface FoldLimits {
  /** How long the robot may take to be connected. */
  readonly connectMs: number;
  readonly foldMs: number;
  readonly closeMs: number;
}

/** Opening a port may take 5 s. A fold takes up to 1.5 s, and as long again where motors are rebooted. */
export const foldLimits: FoldLimits = { connectMs: 8_000, foldMs: 4_000, closeMs: 2_000 };
const POLL_MS = 50;

/** Connects to a robot as a daemon does, folds it, and disconnects. */
export async function foldRobot(robot: Robot, { connectMs, foldMs, closeMs }: FoldLimits): Promise<RescuedRobot> {
  robot.start({ wakeUp: false });
  try {
    if (!(await connected(robot, connectMs))) return notFolded(robot, 'The robot could not be connected.');
    if (robot.motors.every(({ torque }) => !torque)) return { state: 'limp' };
    if (!(await settlesWithin(foldMs, robot.park()))) return notFolded(robot, 'The robot did not fold in time.');
    return { state: 'folded' };
  } catch (error) {
    return notFolded(robot, (error as Error).message);
  } finally {
    await settlesWithin(closeMs, robot.close());
  }
}

/** Tries until the limit, also a port that another process still has or that has just disappeared. */
async function connected(robot: Robot, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (!robot.state.connected) {
    if (performance.now() >= end) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function notFolded({ state: { reason, action } }: Robot, otherwise: string): RescuedRobot {
  return { state: 'not-folded', reason: reason ?? otherwise, action };
}
