import type { RobotState } from '../../contract/robot/robot.ts';
import { RobotUnavailable } from '../../robot/errors.ts';
import type { Robot } from '../../robot/robot.ts';
import { unavailableReason } from '../../robot/robot-condition.ts';
import { settlesWithin } from '../../shared/async/settles-within.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';

/** Time limit for the robot to wake up at the start of an app. */
export const READY_MS = 30_000;
/** Time limit for the robot to return to its default position after a run. */
const RETURN_MS = 3_000;
const POLL_EVERY_MS = 200;

export type RunRobot = Pick<Robot, 'state' | 'connected' | 'wakeUp' | 'returnToDefault' | 'yieldGotos'>;

/**
 * Wakes the robot and waits until it is awake. Gotos that still run yield to the app.
 * @param wait.onWait called with a description of the wait, and again when it changes
 * @throws RobotUnavailable when the robot is not awake within 30 s; the signal's reason when it is aborted
 */
export async function robotReady(
  clock: Clock,
  robot: RunRobot,
  wait: { signal: AbortSignal; onWait: (text: string) => void },
): Promise<void> {
  const { signal, onWait } = wait;
  robot.yieldGotos();
  const { state, torque, reason } = robot.state;
  if (state === 'awake' && torque && reason === null) return; // with a reason, its wake-up failed
  signal.throwIfAborted();
  const { promise: cancelled, reject } = Promise.withResolvers<never>();
  const cancel = () => reject(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  const stopReporting = reportWait(clock, robot, onWait);
  let isLate = false;
  const awake = robot.connected().then(() => {
    if (!signal.aborted && !isLate) return robot.wakeUp();
    return undefined; // the start was given up
  });
  try {
    if (!(await settlesWithin(clock, READY_MS, Promise.race([awake, cancelled])))) {
      throw new RobotUnavailable('The robot did not wake up within 30 s. Check its state, then start the app again.');
    }
  } finally {
    isLate = true;
    stopReporting();
    signal.removeEventListener('abort', cancel);
  }
  if (robot.state.state !== 'awake') throw new RobotUnavailable(unavailableReason(robot.state));
}

function reportWait(clock: Clock, robot: RunRobot, onWait: (text: string) => void): () => void {
  let reported = '';
  const report = () => {
    const text = waitText(robot.state);
    if (text !== reported) onWait(text);
    reported = text;
  };
  report();
  return clock.every(POLL_EVERY_MS, report);
}

function waitText({ connected, reason }: RobotState): string {
  return connected || reason === null ? 'Waiting for the robot to wake up.' : `Waiting for the robot. ${reason}`;
}

/** Returns the robot to its default position after a run. Logs failures and does not throw. */
export async function robotBackToDefault(clock: Clock, robot: RunRobot, log: Logger): Promise<void> {
  try {
    const isBack = await settlesWithin(clock, RETURN_MS, robot.returnToDefault());
    if (!isBack) log.warn('apps: the robot is still on its way to its default position');
  } catch (error) {
    log.error('apps: the robot could not return to its default position', error);
  }
}
