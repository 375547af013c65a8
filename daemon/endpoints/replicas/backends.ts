import type { Requester } from '../states/endpoint-lifecycle.ts';

/** A request's wait for a replica. */
export interface Acquiring {
  /** The longest wait, in milliseconds. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** The sender of the request, for the life of an endpoint that it wakes; null or absent: unknown. */
  readonly by?: Requester | null;
}

/** A replica that a request may use until `release`. */
export interface Backend {
  readonly socketPath: string;
  /** Distinguishes this replica from those before and after it. */
  readonly id: string;
  /** The request is over. A second call has no effect. */
  release(): void;
}

/** Finds replicas for requests. */
export interface Backends {
  /**
   * Waits for a ready replica, and wakes an endpoint that sleeps. From the call to `release` the endpoint counts as used.
   * @throws EndpointNotFound, EndpointUnavailable with the reason, the reason of the signal
   */
  acquire(name: string, acquiring: Acquiring): Promise<Backend>;
  /** A ready replica, at once and without counting as use, for the health route; null: none. */
  peek(name: string): Pick<Backend, 'socketPath' | 'id'> | null;
}
