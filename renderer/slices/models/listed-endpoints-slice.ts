import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { EndpointRef, EndpointState, OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpointId } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { type Loaded, load } from '../base/loaded.ts';
import { createPacedLoad } from '../base/paced-load.ts';
import type { SetState } from '../base/slice.ts';

export interface ListedEndpoints {
  /** Of each state, the newest. */
  readonly endpoints: readonly OwnEndpoint[];
  /** The number of matches, of which only some are listed. */
  readonly matches: number;
}

/** A few endpoints for pages that show them beside other things; part of the first load, so without a library. */
export interface ListedEndpointsSlice {
  /** By `endpointsIn` or `endpointsNamed`. */
  readonly listedEndpoints: Readonly<Record<string, Loaded<ListedEndpoints>>>;
  /** Loads them; the same ones again at most a few times a second. Does nothing for an empty key. */
  readonly loadListedEndpoints: (key: string) => Promise<void>;
}

/** The most endpoints that are listed of each state. */
const MAX_LISTED = 3;
/** A download changes an endpoint several times a second. */
const RELOAD_MS = 400;

/** The key of the endpoints in some states; empty for none. */
export const endpointsIn = (states: readonly EndpointState[]): string =>
  states.length === 0 ? '' : `state ${states.join()}`;

/** The key of these endpoints; empty for none. */
export const endpointsNamed = (endpoints: readonly EndpointRef[]): string =>
  endpoints.length === 0 ? '' : `name ${[...new Set(endpoints.map(endpointId))].join()}`;

export function createListedEndpointsSlice(
  set: SetState<ListedEndpointsSlice>,
  daemon: DaemonClient,
): ListedEndpointsSlice {
  const loads = new Map<string, (key: string) => Promise<void>>();
  const loadOne = (key: string) =>
    load<ListedEndpoints>(
      () => list(daemon, key),
      (next) =>
        set(({ listedEndpoints }) => ({ listedEndpoints: { ...listedEndpoints, [key]: next(listedEndpoints[key]) } })),
    );
  return {
    listedEndpoints: {},
    async loadListedEndpoints(key) {
      if (key === '') return;
      const paced = loads.get(key) ?? createPacedLoad(RELOAD_MS, loadOne);
      loads.set(key, paced);
      await paced(key);
    },
  };
}

async function list(daemon: DaemonClient, key: string): Promise<ListedEndpoints> {
  const [kind, values = ''] = key.split(' ');
  const pages = await Promise.all(
    values.split(',').map((value) => {
      const [namespace, name] = value.split('/');
      const wanted = kind === 'state' ? { state: value as EndpointState } : { namespace, name };
      return daemon.call('listOwnEndpoints', { query: { ...wanted, page: 1, limit: MAX_LISTED } });
    }),
  );
  return {
    endpoints: pages.flatMap(({ endpoints }) => endpoints),
    matches: pages.reduce((sum, { matches }) => sum + matches, 0),
  };
}
