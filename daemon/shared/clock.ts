/** The time of day, passed in so that tests choose it. */
export type Now = () => Date;

export const systemNow: Now = () => new Date();

/** The time of day and timers, passed in so that tests move them. */
export interface Clock {
  readonly now: Now;
  /** Runs work once after a time. @returns a function that cancels it */
  after(ms: number, work: () => void): () => void;
}

/** Longer times overflow Node's timers, which would then run at once. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: systemNow,
  after: (ms, work) => {
    const timer = setTimeout(work, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};

/** Waits on a clock. @throws the reason of the signal */
export function sleepOn(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
