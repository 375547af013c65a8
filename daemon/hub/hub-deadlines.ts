import type { RetryPolicy } from '../shared/async/retry.ts';

/** How long the hub is waited for. */
export interface HubPatience extends RetryPolicy {
  /** For the beginning of an answer. */
  readonly answerMs: number;
  /** For the next bytes of an answer. */
  readonly stallMs: number;
}

export const defaultPatience: HubPatience = {
  answerMs: 30_000,
  stallMs: 30_000,
  retries: 3,
  retryMs: 1_000,
  longestRetryMs: 60_000,
  retriesMs: 60_000,
};
