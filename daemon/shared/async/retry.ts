import { type Clock, sleepOn } from '../clock.ts';

export interface RetryPolicy {
  readonly retries: number;
  /** The wait before the first retry unless the service names one; doubles with each retry. */
  readonly retryMs: number;
  /** The longest single wait; a service that asks for more is not retried. */
  readonly longestRetryMs: number;
  /** The limit on all waits together. */
  readonly retriesMs: number;
}

/** A failed attempt that is worth repeating. */
export class TransientFailure extends Error {
  readonly error: Error;
  /** The service's `Retry-After` header. */
  readonly retryAfter: string | null;

  constructor(error: Error, retryAfter: string | null) {
    super(error.message);
    this.error = error;
    this.retryAfter = retryAfter;
  }
}

/**
 * Repeats an attempt while it throws a TransientFailure and the policy allows another one.
 * @throws the error of the last attempt, or the reason of the signal
 */
export async function withRetries<T>(
  clock: Clock,
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  signal: AbortSignal,
): Promise<T> {
  for (let [retries, waitedMs] = [0, 0]; ; retries += 1) {
    signal.throwIfAborted();
    try {
      const result = await attempt();
      signal.throwIfAborted();
      return result;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TransientFailure)) throw error;
      const delayMs = retryDelayMs(error.retryAfter, { retries, waitedMs }, policy, clock.now().getTime());
      if (delayMs === null) throw error.error;
      waitedMs += delayMs;
      await sleepOn(clock, delayMs, signal);
    }
  }
}

/**
 * @param retryAfter the header: seconds or a date
 * @param soFar the number of retries made, and their waits together
 * @returns the wait before the next retry; null: no retry
 */
export function retryDelayMs(
  retryAfter: string | null,
  soFar: { retries: number; waitedMs: number },
  { retries, retryMs, longestRetryMs, retriesMs }: RetryPolicy,
  nowMs: number,
): number | null {
  if (soFar.retries >= retries) return null;
  const delayMs = wantedMs(retryAfter, nowMs) ?? retryMs * 2 ** soFar.retries;
  return delayMs > longestRetryMs || soFar.waitedMs + delayMs > retriesMs ? null : delayMs;
}

function wantedMs(retryAfter: string | null, nowMs: number): number | null {
  if (retryAfter === null) return null;
  if (/^\s*\d+\s*$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
