import type { EndpointRef, EndpointState } from '../../contract/endpoints/endpoint.ts';

/** An endpoint, as far as a run that uses it is concerned. */
export interface RunEndpoint {
  readonly endpoint: EndpointRef;
  readonly task: string;
  /** The name of its model in requests. */
  readonly model: string;
  readonly state: EndpointState;
  /** The state in one sentence; of a failure, with what to do. */
  readonly message: string;
  /** Whether it can serve a request now. */
  readonly isReady: boolean;
}

/** The endpoints of this daemon, for the runs of apps. */
export interface RunEndpoints {
  /** @returns null when there is none of that name in that namespace */
  find(endpoint: EndpointRef): Promise<RunEndpoint | null>;
  /** US dollars for an hour in which it runs; 0: it costs nothing, null: unknown. */
  priceOf(endpoint: EndpointRef): Promise<number | null>;
  /**
   * Waits until an endpoint can serve requests, and wakes it if it sleeps. Given up, it goes on waking.
   * @param wait.appName the app whose start waits, for the endpoint's life
   * @param wait.onProgress called with the progress of its start in one sentence, and again when that changes
   * @throws DomainError with the reason when it cannot be used, or not within `waitMs`; the reason of the signal
   */
  untilReady(
    endpoint: EndpointRef,
    wait: {
      readonly appName: string;
      readonly waitMs: number;
      readonly signal: AbortSignal;
      readonly onProgress: (message: string) => void;
    },
  ): Promise<void>;
}
