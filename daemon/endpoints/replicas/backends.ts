import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import type { ReplicaAddress } from '../runtime/endpoint-runtime.ts';
import type { Requester } from '../states/endpoint-lifecycle.ts';

/** By what an endpoint may choose the replica of a request. */
export interface Affinity {
  /** The same text for the same sender: its token, else its address. */
  readonly caller: string;
  /** The id of its MCP session; null: none. */
  readonly mcpSession: string | null;
}

/** A replica's place in the network, and how its health is asked. */
export type BackendAddress = Pick<Backend, 'id' | 'address' | 'healthRoute'>;

/** A request's wait for a replica. */
export interface Acquiring {
  /** The sender and its session, by which an endpoint may choose the replica; absent: neither is known. */
  readonly affinity?: Affinity;
  /** Whether it is one of the requests that a replica answers only so many of at the same time; absent: no. */
  readonly takesSlot?: boolean;
  /** When it came, on the clock of `elapsedMs`: for its turn; absent: now. */
  readonly arrivedMs?: number;
  /** Ids of replicas that were lost to this request already: others are preferred. */
  readonly avoid?: ReadonlySet<string>;
  /** Ids of replicas that do not get this request again: it waits for another one. */
  readonly exclude?: ReadonlySet<string>;
  /** Whether it is a chat, which needs a chat template; absent: it is not. */
  readonly isChat?: boolean;
  /** The longest wait for a ready replica, in milliseconds. */
  readonly waitMs: number;
  /** The longest wait for a turn while replicas are ready and busy, in milliseconds; absent: ten minutes. */
  readonly queueMs?: number;
  readonly signal: AbortSignal;
  /** The sender of the request, for the life of an endpoint that it wakes; null or absent: unknown. */
  readonly by?: Requester | null;
}

/** A replica that a request may use until `release`. */
export interface Backend {
  readonly address: ReplicaAddress;
  /** The path at its address that answers 200 while it is healthy. */
  readonly healthRoute: string;
  /** Distinguishes this replica from those before and after it. */
  readonly id: string;
  /** Aborted when the replica no longer answers and another one could: a request that it has not begun to answer may leave it. */
  readonly lost: AbortSignal;
  /** The replica sends a part of an answer. */
  answers(): void;
  /** The replica opened an MCP session in its answer: later requests of that session are to get it again. */
  openedSession(mcpSession: string): void;
  /** The request is over. A second call has no effect. */
  release(): void;
}

/** Finds replicas for requests. */
export interface Backends {
  /**
   * Waits for a ready replica, and wakes an endpoint that sleeps. From the call to `release` the endpoint counts as used.
   * A chat that the endpoint refuses neither wakes it nor counts.
   * @throws EndpointNotFound, ChatTemplateMissing, EndpointUnavailable with the reason, the reason of the signal
   */
  acquire(endpoint: EndpointRef, acquiring: Acquiring): Promise<Backend>;
  /** A ready replica, at once and without counting as use, for the health route; null: none. */
  peek(endpoint: EndpointRef): BackendAddress | null;
}
