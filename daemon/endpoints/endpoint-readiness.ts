import { type ComputeOffer, LOCAL_VENDOR } from '../catalog/compute/compute-offer.ts';
import type { EndpointRef } from '../contract/endpoints/endpoint.ts';
import type { Clock } from '../shared/clock.ts';
import type { Endpoints } from './endpoints.ts';
import type { StoredEndpoint } from './records/stored-endpoint.ts';
import type { Backends } from './replicas/backends.ts';
import { EndpointNotFound } from './states/errors.ts';

interface EndpointReadinessDeps {
  readonly endpoints: Pick<Endpoints, 'load' | 'record'>;
  readonly replicas: Backends;
  readonly offers: () => Promise<readonly ComputeOffer[]>;
  readonly clock: Clock;
}

/** The message of an endpoint that starts is looked at again after this time. */
const LOOK_EVERY_MS = 250;

/** Finds the endpoints that programs of this daemon use, and waits until they can serve requests. */
export class EndpointReadiness {
  readonly #deps: EndpointReadinessDeps;

  constructor(deps: EndpointReadinessDeps) {
    this.#deps = deps;
  }

  /**
   * @returns the endpoint as its users see it: the name of its model in requests, the state in one sentence, of a failure with
   * what to do, and whether it can serve a request now; null when there is none of that name in that namespace
   */
  async find(wanted: EndpointRef) {
    const endpoint = await this.#stored(wanted);
    if (!endpoint) return null;
    const { model, status } = endpoint;
    const { state, message, errorMessage, readyReplica } = status;
    return {
      endpoint: wanted,
      ...{ task: model.task, model: model.repository, state },
      message: errorMessage ?? message,
      isReady: readyReplica > 0 && this.#deps.replicas.peek(wanted) !== null,
    };
  }

  /** US dollars for an hour in which a replica runs; 0: it costs nothing, null: unknown. */
  async priceOf(wanted: EndpointRef): Promise<number | null> {
    const endpoint = await this.#stored(wanted);
    return endpoint ? priceOf(endpoint, this.#deps.offers) : 0;
  }

  /**
   * Waits until an endpoint can serve requests, and wakes it if it sleeps. It counts as used then. Given up, it goes on
   * waking.
   * @param wait.appName the app whose start waits, for the endpoint's life
   * @param wait.onProgress called with the progress of its start in one sentence, and again when that changes
   * @throws EndpointNotFound, EndpointUnavailable with the reason, ShuttingDown, the reason of the signal
   */
  async untilReady(
    wanted: EndpointRef,
    {
      appName,
      waitMs,
      signal,
      onProgress,
    }: {
      readonly appName: string;
      readonly waitMs: number;
      readonly signal: AbortSignal;
      readonly onProgress: (message: string) => void;
    },
  ): Promise<void> {
    const { endpoints, replicas, clock } = this.#deps;
    if (!(await this.#stored(wanted))) throw new EndpointNotFound(wanted.name);
    let reported = '';
    const report = () => {
      const status = endpoints.record(wanted)?.endpoint.status;
      if (!status || status.state === 'scaledToZero' || status.message === reported) return;
      reported = status.message;
      onProgress(reported);
    };
    const ready = replicas.acquire(wanted, { waitMs, signal, by: { kind: 'start', name: appName } });
    const endReports = clock.every(LOOK_EVERY_MS, report);
    try {
      report();
      (await ready).release();
    } finally {
      endReports();
    }
  }

  async #stored(wanted: EndpointRef): Promise<StoredEndpoint | null> {
    const { endpoints } = this.#deps;
    await endpoints.load();
    return endpoints.record(wanted)?.endpoint ?? null;
  }
}

/** US dollars for an hour in which a replica runs; 0: it costs nothing, null: unknown. */
export async function priceOf(
  { provider, compute }: Pick<StoredEndpoint, 'provider' | 'compute'>,
  offers: () => Promise<readonly ComputeOffer[]>,
): Promise<number | null> {
  if (provider.vendor === LOCAL_VENDOR) return 0;
  const offer = (await offers()).find(
    ({ vendor, region, id }) => vendor === provider.vendor && region === provider.region && id === compute.id,
  );
  return offer?.pricePerHour ?? null;
}
