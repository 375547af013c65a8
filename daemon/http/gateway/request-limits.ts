import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import { GatewayRefusal } from './gateway-refusal.ts';

export interface Limits {
  /** Requests under way at one endpoint, those that wait for a replica included. */
  readonly perEndpoint: number;
  readonly inAll: number;
  /** Bytes of bodies held for all requests. */
  readonly bodyBytes: number;
}

/** Requests held up by a busy endpoint are worth another try soon: after a second. */
const busy = (kind: 'too-many-requests' | 'unavailable', message: string) => new GatewayRefusal(kind, message, 1);

/**
 * Bounds the requests under way and the memory for their bodies, and refuses what is beyond at once. It has no queue: requests
 * wait for a replica in `daemon/endpoints/replicas/replica-requests.ts`, and count here meanwhile.
 */
export class RequestLimits {
  readonly #limits: Limits;
  /** By the ids of the endpoints. */
  readonly #perEndpoint = new Map<string, number>();
  #inAll = 0;
  #bodyBytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Bytes of bodies held now. */
  get bodyBytes(): number {
    return this.#bodyBytes;
  }

  /** Requests under way now. */
  get requests(): number {
    return this.#inAll;
  }

  /** Admits a request. @returns its end. @throws GatewayRefusal */
  enter(endpoint: EndpointRef): () => void {
    const id = endpointId(endpoint);
    const atEndpoint = this.#perEndpoint.get(id) ?? 0;
    if (atEndpoint >= this.#limits.perEndpoint) {
      throw busy('too-many-requests', `${atEndpoint} requests to this endpoint are under way, the maximum.`);
    }
    if (this.#inAll >= this.#limits.inAll) {
      throw busy('unavailable', `${this.#inAll} requests to endpoints are under way, the maximum.`);
    }
    this.#perEndpoint.set(id, atEndpoint + 1);
    this.#inAll += 1;
    return () => {
      this.#inAll -= 1;
      const left = (this.#perEndpoint.get(id) ?? 1) - 1;
      if (left > 0) this.#perEndpoint.set(id, left);
      else this.#perEndpoint.delete(id);
    };
  }

  /** Reserves memory for a part of a body. @throws GatewayRefusal */
  holdBytes(bytes: number): void {
    if (this.#bodyBytes + bytes > this.#limits.bodyBytes) {
      throw busy('unavailable', 'The requests under way already hold as much memory as they may.');
    }
    this.#bodyBytes += bytes;
  }

  freeBytes(bytes: number): void {
    this.#bodyBytes -= bytes;
  }
}
