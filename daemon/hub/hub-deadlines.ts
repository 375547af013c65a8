import type { RetryPolicy } from '../shared/async/retry.ts';

/** Time limits of requests to the hub, milliseconds. */
export interface HubTimeouts extends RetryPolicy {
  /** Limit for the beginning of an answer. */
  readonly answerMs: number;
  /** Limit for the next bytes of an answer. */
  readonly stallMs: number;
}

export const defaultTimeouts: HubTimeouts = {
  answerMs: 30_000,
  stallMs: 30_000,
  retries: 3,
  retryMs: 1_000,
  longestRetryMs: 60_000,
  retriesMs: 60_000,
};
