import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '../../shared/clock.ts';

/**
 * The longest time to block the event loop, which also drives the robot. Measured on the system's clock: a clock that a test
 * moves does not show how long the event loop is blocked.
 */
const BATCH_MS = 4;
/** Sorted in much less than BATCH_MS. */
const RUN = 500;

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

/** Shorter than for loading, because scans are frequent. */
const SCAN_BATCH_MS = 1;
/** Positions between two readings of the clock, which take as long as a visit. */
const SCAN_CHUNK = 200;

/** Visits the positions from 0 up to `count` until a visit returns false, and yields to the event loop between batches. */
export async function scanInBatches(count: number, visit: (position: number) => boolean): Promise<void> {
  let beganMs = systemClock.elapsedMs();
  for (let begin = 0; begin < count; begin += SCAN_CHUNK) {
    const end = Math.min(begin + SCAN_CHUNK, count);
    for (let position = begin; position < end; position++) if (!visit(position)) return;
    if (systemClock.elapsedMs() - beganMs < SCAN_BATCH_MS) continue;
    await nextTurn();
    beganMs = systemClock.elapsedMs();
  }
}

/** Sorts the numbers from 0 up to `count`, in batches: sorts short runs, then merges them pairwise. */
export async function sortInBatches(count: number, compare: (a: number, b: number) => number): Promise<Uint32Array> {
  let from = Uint32Array.from({ length: count }, (_, index) => index);
  let to = new Uint32Array(count);
  const runs = Array.from({ length: Math.ceil(count / RUN) }, (_, run) => from.subarray(run * RUN, (run + 1) * RUN));
  await inBatches(runs, (run) => void run.sort(compare));
  for (let width = RUN; width < count; width *= 2) {
    let left = 0;
    let right = 0;
    await inBatches(from, (_, at) => {
      const begin = at - (at % (2 * width));
      if (at === begin) [left, right] = [begin, begin + width];
      const a = left < begin + width ? from[left] : undefined;
      const b = right < begin + 2 * width ? from[right] : undefined;
      if (b === undefined || (a !== undefined && compare(a, b) <= 0)) {
        to[at] = a as number;
        left += 1;
      } else {
        to[at] = b;
        right += 1;
      }
    });
    [from, to] = [to, from];
  }
  return from;
}
