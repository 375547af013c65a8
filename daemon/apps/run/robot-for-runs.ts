import type { RobotState } from '../../contract/robot/robot.ts';
import { RobotUnavailable } from '../../robot/errors.ts';
import type { Robot } from '../../robot/robot.ts';
import { whyNot } from '../../robot/robot-condition.ts';
import { within } from '../../shared/async/within.ts';
import type { Logger } from '../../shared/logger.ts';

/** How long the robot may take to come up before a start gives up. */
export const READY_MS = 30_000;
/** How long a freed slot waits for a robot that does not come back. */
const RETURN_MS = 3_000;
const LOOK_EVERY_MS = 200;

export type RunRobot = Pick<Robot, 'state' | 'connected' | 'wakeUp' | 'returnToDefault'>;

/**
 * Wakes a sleeping robot and waits for one that is coming up.
 * @param wait.onWait told what is waited for, and again when that changes
 * @throws RobotUnavailable when it does not come up in 30 s; the signal's reason when that is aborted
 */
export async function robotReady(
  robot: RunRobot,
  wait: { signal: AbortSignal; onWait: (words: string) => void },
): Promise<void> {
  const { signal, onWait } = wait;
  if (robot.state.state === 'awake' && robot.state.torque) return;
  signal.throwIfAborted();
  const { promise: cancelled, reject } = Promise.withResolvers<never>();
  const cancel = () => reject(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  const endTelling = tellWait(robot, onWait);
  let isLate = false;
  const awake = robot.connected().then(() => {
    if (!signal.aborted && !isLate) return robot.wakeUp();
    return undefined; // nobody waits for it any more
  });
  try {
    if (!(await within(READY_MS, Promise.race([awake, cancelled])))) {
      throw new RobotUnavailable('The robot did not wake up within 30 s. Look at its state, then start the app again.');
    }
  } finally {
    isLate = true;
    endTelling();
    signal.removeEventListener('abort', cancel);
  }
  if (robot.state.state !== 'awake') throw new RobotUnavailable(whyNot(robot.state));
}

function tellWait(robot: RunRobot, onWait: (words: string) => void): () => void {
  let told = '';
  const tell = () => {
    const words = waitWords(robot.state);
    if (words !== told) onWait(words);
    told = words;
  };
  tell();
  const timer = setInterval(tell, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

function waitWords({ connected, reason }: RobotState): string {
  return connected || reason === null ? 'Waiting for the robot to wake up.' : `Waiting for the robot. ${reason}`;
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
