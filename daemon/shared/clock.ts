export type Now = () => Date;

/**
 * The time of day, and all that waits for time to pass. A daemon has one, passed in so that tests move it. Only code that
 * measures what a test cannot move asks the system's: other processes, files, this thread. A lint rule refuses it elsewhere.
 */
export interface Clock {
  readonly now: Now;
  /** Milliseconds, with fractions, since a fixed moment. A change of the system's time does not affect it. */
  readonly elapsedMs: () => number;
  /** Runs work once after a time, which keeps the process running until then. @returns a function that cancels it */
  readonly after: (ms: number, work: () => void) => () => void;
  /** Runs work again and again, first after one interval; keeps the process running. @returns a function that cancels it */
  readonly every: (ms: number, work: () => void) => () => void;
  /** @returns a signal that aborts after a time with a `TimeoutError`; it does not keep the process running */
  readonly timeout: (ms: number) => AbortSignal;
}

export const systemNow: Now = () => new Date();

/** Longer times overflow Node's timers, which would then run at once. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: systemNow,
  elapsedMs: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
  every: (ms, work) => {
    const timer = setInterval(work, ms);
    return () => clearInterval(timer);
  },
  timeout: (ms) => AbortSignal.timeout(ms),
};

/** Waits on a clock. @throws the reason of the signal */
export function sleepOn(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
