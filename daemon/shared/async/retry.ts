import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';

/** How often and after which waits a request is repeated. */
export interface RetryPolicy {
  readonly retries: number;
  /** Before the first retry where the service names no time; doubles with each retry. */
  readonly retryMs: number;
  /** A service that asks for a longer wait is not asked again. */
  readonly longestRetryMs: number;
  /** All waits together. */
  readonly retriesMs: number;
}

/** One attempt failed; the next one may succeed. */
export class PassingFailure extends Error {
  /** The error to throw when there is no next attempt. */
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
 * Repeats an attempt while it throws a PassingFailure and the policy allows another one.
 * @throws the error of the last attempt, or the reason of the signal
 */
export async function withRetries<T>(attempt: () => Promise<T>, policy: RetryPolicy, signal: AbortSignal): Promise<T> {
  let waitedMs = 0;
  try {
    return await pRetry(attempt, {
      retries: policy.retries,
      minTimeout: 0, // waits here, since a service may name the time
      signal,
      shouldRetry: async ({ error, retriesConsumed }) => {
        if (!(error instanceof PassingFailure)) return false;
        const delayMs = retryDelayMs(error.retryAfter, { retries: retriesConsumed, waitedMs }, policy, Date.now());
        if (delayMs === null) return false;
        waitedMs += delayMs;
        await sleep(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
        return true;
      },
    });
  } catch (error) {
    throw error instanceof PassingFailure ? error.error : error;
  }
}

/**
 * @param retryAfter the header: seconds or a date
 * @param soFar how many retries there were, and how long their waits took together
 * @returns null when there is to be no retry
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
