import type { Clock } from '../clock.ts';

/**
 * Waits for work up to a limit. The work continues after it.
 * @returns whether the work finished within the limit
 * @throws the work's own error, within the limit
 */
export async function settlesWithin(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const cancel = clock.after(limitMs, () => resolve(false));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    cancel();
  }
}
