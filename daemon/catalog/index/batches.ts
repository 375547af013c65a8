import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long the event loop is held up at a time: the robot is driven in it too. */
const STEP_MS = 4;
/** So many are sorted at once, in much less than a step. */
const RUN = 500;

/** Does something with each of many, and lets others do theirs in between. */
export async function inSteps<T>(values: ArrayLike<T>, each: (value: T, index: number) => void): Promise<void> {
  let beganMs = performance.now();
  for (let index = 0; index < values.length; index++) {
    each(values[index] as T, index);
    if (performance.now() - beganMs < STEP_MS) continue;
    await nextTurn();
    beganMs = performance.now();
  }
}

/** A scan runs at any time, loading only now and then, so its steps are shorter. */
const SCAN_STEP_MS = 1;
/** Reading the clock for each position would take as long as the work itself. */
const SCAN_BATCH = 200;

/** Visits the positions from 0 up to a count until a visit returns false, and lets others run in between. */
export async function scanInSteps(count: number, visit: (position: number) => boolean): Promise<void> {
  let beganMs = performance.now();
  for (let begin = 0; begin < count; begin += SCAN_BATCH) {
    const end = Math.min(begin + SCAN_BATCH, count);
    for (let position = begin; position < end; position++) if (!visit(position)) return;
    if (performance.now() - beganMs < SCAN_STEP_MS) continue;
    await nextTurn();
    beganMs = performance.now();
  }
}

/** The numbers from 0 up to a count, sorted: short runs at once, then merged two by two, in steps. */
export async function sortedInSteps(count: number, compare: (a: number, b: number) => number): Promise<Uint32Array> {
  let from = Uint32Array.from({ length: count }, (_, index) => index);
  let to = new Uint32Array(count);
  const runs = Array.from({ length: Math.ceil(count / RUN) }, (_, run) => from.subarray(run * RUN, (run + 1) * RUN));
  await inSteps(runs, (run) => void run.sort(compare));
  for (let width = RUN; width < count; width *= 2) {
    let left = 0;
    let right = 0;
    await inSteps(from, (_, at) => {
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
