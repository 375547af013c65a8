import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

const TURNS_A_STEP = 20;

/** The timers of the process, also those of `node:timers/promises`, which a test can move. */
export interface MovableClock {
  /** Moves the time forward in steps, by default of 100 ms, each with turns of the loop for what it sends and receives. */
  readonly pass: (ms: number, stepMs?: number) => Promise<void>;
  /** Moves it until some work is over, in steps of 10 ms. */
  readonly during: <T>(work: Promise<T>) => Promise<T>;
}

/** From here to the end of the test its timers go on as always, and can be moved. Call it first, since it ends last. */
export function movableClock(): MovableClock {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    fakeNodeBuiltins: true,
  });
  async function pass(ms: number, stepMs = 100): Promise<void> {
    for (let leftMs = ms; leftMs > 0; leftMs -= stepMs) {
      await vi.advanceTimersByTimeAsync(Math.min(leftMs, stepMs));
      for (let turn = 0; turn < TURNS_A_STEP; turn++) await nextTurn();
    }
  }
  return {
    pass,
    async during(work) {
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      work.then(over, over);
      while (!isOver) await pass(10, 10);
      return work;
    },
  };
}
