import type { Clock } from '../shared/clock.ts';

const BEGIN_MS = Date.parse('2026-11-21T11:00:00.000Z');

/**
 * A clock of a test, from its own time and timers. Its time of day begins on 21 November 2026.
 * @param afterInBackground like `after`, with a timer that does not keep the process running
 */
export function clockOnTimers(
  { elapsedMs, after }: Pick<Clock, 'elapsedMs' | 'after'>,
  afterInBackground: Clock['after'] = after,
): Clock {
  const beganMs = elapsedMs();
  return {
    now: () => new Date(BEGIN_MS + elapsedMs() - beganMs),
    elapsedMs,
    after,
    every: (ms, work) => {
      let cancel = () => {};
      const next = () => {
        cancel = after(ms, () => {
          next();
          work();
        });
      };
      next();
      return () => cancel();
    },
    timeout: (ms) => {
      const ending = new AbortController();
      afterInBackground(ms, () =>
        ending.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      );
      return ending.signal;
    },
  };
}
