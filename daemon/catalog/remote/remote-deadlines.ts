/** The deadlines of requests to a catalog service. */
export interface RemoteDeadlines {
  /** For the start of an answer, and for each further piece. */
  readonly silenceMs: number;
  /** For a complete list, with retries. */
  readonly listMs: number;
  /** For the answer to a deploy. */
  readonly deployMs: number;
  /** The pause before the first retry of a list unless the service names one; doubled before the second. */
  readonly retryMs: number;
  /** The longest pause that a service may ask for. */
  readonly longestRetryMs: number;
}

export const defaultDeadlines: RemoteDeadlines = {
  silenceMs: 30_000,
  listMs: 120_000,
  deployMs: 60_000,
  retryMs: 1_000,
  longestRetryMs: 20_000,
};
