import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '../shared/clock.ts';

/**
 * The longest time to block the event loop, which also drives the robot. Measured on the system's clock: a clock that a test
 * moves does not show how long the event loop is blocked.
 */
const BATCH_MS = 4;

/** Calls `each` for every value, and yields to the event loop between batches. */
export async function inBatches<T>(values: ArrayLike<T>, each: (value: T, index: number) => void): Promise<void> {
  let beganMs = systemClock.elapsedMs();
  for (let index = 0; index < values.length; index++) {
    each(values[index] as T, index);
    if (systemClock.elapsedMs() - beganMs < BATCH_MS) continue;
    await nextTurn();
    beganMs = systemClock.elapsedMs();
  }
}
