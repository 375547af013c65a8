/** How long a catalog service is waited for. */
export interface RemotePatience {
  /** For the beginning of an answer, and for each further piece of it. */
  readonly silenceMs: number;
  /** For a whole list, its retries included. */
  readonly listMs: number;
  /** For the answer to a deploy. */
  readonly deployMs: number;
  /** Before a list is asked for again where the service does not say; twice as long before the second time. */
  readonly retryMs: number;
  /** The longest that a service may have us wait before we ask again. */
  readonly longestRetryMs: number;
}

export const defaultPatience: RemotePatience = {
  silenceMs: 30_000,
  listMs: 120_000,
  deployMs: 60_000,
  retryMs: 1_000,
  longestRetryMs: 20_000,
};
