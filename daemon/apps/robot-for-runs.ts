import { RobotUnavailable } from '../robot/errors.ts';
import type { Robot } from '../robot/robot.ts';
import { whyNot } from '../robot/robot-condition.ts';
import type { Logger } from '../shared/logger.ts';
import { within } from '../shared/within.ts';

/** How long the robot may take to come up before a start gives up. */
const READY_MS = 30_000;
/** How long a freed slot waits for a robot that does not come back. */
const RETURN_MS = 3_000;

export type RunRobot = Pick<Robot, 'state' | 'connected' | 'wakeUp' | 'returnToDefault'>;

/**
 * Wakes a sleeping robot and waits for one that is coming up.
 * @throws RobotUnavailable when it does not come up in 30 s; the signal's reason when that is aborted
 */
export async function robotReady(robot: RunRobot, signal: AbortSignal): Promise<void> {
  const cancelled = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  let isLate = false;
  const awake = robot.connected().then(() => {
    if (!signal.aborted && !isLate) return robot.wakeUp();
    return undefined; // nobody waits for it any more
  });
  if (!(await within(READY_MS, Promise.race([awake, cancelled])))) {
    isLate = true;
    throw new RobotUnavailable('The robot did not wake up within 30 s. Look at its state, then start the app again.');
  }
  if (robot.state.state !== 'awake') throw new RobotUnavailable(whyNot(robot.state));
}

/** Brings the robot back to its default position after a run; one that does not come back is logged and left. */
export async function robotBackToDefault(robot: RunRobot, log: Logger): Promise<void> {
  try {
    const isBack = await within(RETURN_MS, robot.returnToDefault());
    if (!isBack) log.warn('apps: the robot is still on its way to its default position');
  } catch (error) {
    log.error('apps: the robot could not return to its default position', error);
  }
}
