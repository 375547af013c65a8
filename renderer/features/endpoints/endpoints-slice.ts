import type * as z from 'zod';
import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { EndpointListing, EndpointsStatus, OwnEndpoint } from '../../../daemon/contract/endpoint.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import { type Loaded, load } from '../../store/loaded.ts';
import { type GetState, type Reducers, type SetState, without } from '../../store/slice.ts';
import type { SessionSlice } from '../session/session-slice.ts';

const orders = {
  pause: 'pauseEndpoint',
  resume: 'resumeEndpoint',
  sleep: 'scaleEndpointToZero',
  delete: 'deleteEndpoint',
} as const;
export type EndpointOrder = keyof typeof orders;

export interface EndpointsSlice {
  /** How many there are and when one last changed; null until the first snapshot. */
  readonly endpointsStatus: EndpointsStatus | null;
  readonly endpointPage: Loaded<z.infer<typeof EndpointListing>> | null;
  /** What was asked of which endpoint and not answered yet. */
  readonly endpointOrdersAsked: Readonly<Record<string, EndpointOrder>>;
  /** Why the last order of an endpoint was refused. */
  readonly endpointRefusals: Readonly<Record<string, DaemonError>>;
  /** Asks for a page, from 1. */
  readonly loadEndpoints: (page: string) => Promise<void>;
  /** Answers whether it was done. What becomes of the endpoint is told by events. */
  readonly orderEndpoint: (of: OwnEndpoint, order: EndpointOrder) => Promise<boolean>;
  readonly dismissEndpointRefusal: (key: string) => void;
}

const PAGE_ENDPOINTS = 25;

/** What tells an endpoint from all others. */
export const endpointKey = ({ namespace, endpoint }: OwnEndpoint): string => `${namespace}/${endpoint.name}`;

export function createEndpointsSlice(
  set: SetState<EndpointsSlice>,
  get: GetState<SessionSlice>,
  daemon: DaemonClient,
): EndpointsSlice {
  let asked = new AbortController();
  return {
    endpointsStatus: null,
    endpointPage: null,
    endpointOrdersAsked: {},
    endpointRefusals: {},
    async loadEndpoints(page) {
      // Only the answer to the last question counts.
      asked.abort();
      asked = new AbortController();
      const { signal } = asked;
      const query = { name: undefined, state: undefined, page: Number(page), limit: PAGE_ENDPOINTS };
      await load(
        () => daemon.call('listOwnEndpoints', { query, signal }),
        (next) => set(({ endpointPage }) => (signal.aborted ? {} : { endpointPage: next(endpointPage) })),
      );
    },
    async orderEndpoint(of, order) {
      const key = endpointKey(of);
      set(({ endpointOrdersAsked, endpointRefusals }) => ({
        endpointOrdersAsked: { ...endpointOrdersAsked, [key]: order },
        endpointRefusals: without(endpointRefusals, key),
      }));
      try {
        await daemon.call(orders[order], { params: { namespace: of.namespace, name: of.endpoint.name } });
        return true;
      } catch (error) {
        const refusal = asDaemonError(error);
        if (refusal.status === 401) await get().loadSession();
        set(({ endpointRefusals }) => ({ endpointRefusals: { ...endpointRefusals, [key]: refusal } }));
        return false;
      } finally {
        set(({ endpointOrdersAsked }) => ({ endpointOrdersAsked: without(endpointOrdersAsked, key) }));
      }
    },
    dismissEndpointRefusal: (key) =>
      set(({ endpointRefusals }) => ({ endpointRefusals: without(endpointRefusals, key) })),
  };
}

export const endpointsReducers: Reducers<EndpointsSlice> = {
  snapshot: (_, { snapshot }) => ({ endpointsStatus: snapshot.endpoints }),
  'endpoints.changed': (_, { endpoints }) => ({ endpointsStatus: endpoints }),
};
