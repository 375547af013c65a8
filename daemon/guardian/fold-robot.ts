import type { Robot } from '../robot/robot.ts';
import { settlesWithin } from '../shared/async/settles-within.ts';
import { type Clock, sleepOn } from '../shared/clock.ts';
import type { RescuedRobot } from './unexpected-end.ts';

/** Milliseconds. Opening a port may take 5 s. A fold takes 1.5 s, and many times that on a computer that is being shut down. */
export const foldLimits = {
  /** How long the robot may take to be connected. */
  connectMs: 8_000,
  /** How long it may take from then on until it is folded, with a lost connection in between. */
  foldMs: 15_000,
  closeMs: 2_000,
};
export type FoldLimits = Readonly<typeof foldLimits>;
const POLL_MS = 50;

type FoldingRobot = Pick<Robot, 'start' | 'state' | 'motors' | 'sleep' | 'close'>;

/** Connects to a robot as a daemon does, folds it, and disconnects. */
export async function foldRobot(clock: Clock, robot: FoldingRobot, limits: FoldLimits): Promise<RescuedRobot> {
  robot.start({ wakeUp: false });
  try {
    if (!(await isConnectedWithin(clock, limits.connectMs, robot)))
      return notFolded(robot, 'it could not be connected.');
    if (isLimp(robot)) return { state: 'limp' };
    if (await isFoldedWithin(clock, limits.foldMs, robot)) return { state: 'folded' };
    return notFolded(robot, 'it did not fold in time.');
  } finally {
    await settlesWithin(clock, limits.closeMs, robot.close());
  }
}

/** Waits also for a port that another process still has, or that has just disappeared. */
async function isConnectedWithin(clock: Clock, limitMs: number, robot: FoldingRobot): Promise<boolean> {
  const end = clock.elapsedMs() + limitMs;
  while (!robot.state.connected) {
    if (clock.elapsedMs() >= end) return false;
    await sleepOn(clock, POLL_MS);
  }
  return true;
}

/** Folds the robot, again after its connection was lost. */
async function isFoldedWithin(clock: Clock, limitMs: number, robot: FoldingRobot): Promise<boolean> {
  const end = clock.elapsedMs() + limitMs;
  for (;;) {
    const isOver = clock.elapsedMs() >= end;
    if (robot.state.connected && isLimp(robot)) return true;
    if (isOver) return false;
    const folding = robot.sleep().catch(() => {}); // the state says why
    await settlesWithin(clock, end - clock.elapsedMs(), folding);
    await sleepOn(clock, POLL_MS);
  }
}

/** Whether no motor holds: at the end of a fold they are switched off. */
const isLimp = ({ motors }: FoldingRobot): boolean => motors.every(({ torque }) => !torque);

function notFolded({ state: { reason, action } }: FoldingRobot, otherwise: string): RescuedRobot {
  return { state: 'not-folded', reason: reason ?? otherwise, action };
}
