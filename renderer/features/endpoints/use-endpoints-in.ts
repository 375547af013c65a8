import type { AssignedNeed } from '../../../daemon/contract/apps/needs.ts';
import type { EndpointRef, EndpointState, OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpointKey } from '../../slices/models/endpoints-slice.ts';
import { type Asked, useAskedAfter } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** The most endpoints that a list of Home shows. */
const MAX_SHOWN = 3;

interface ListedEndpoints {
  /** Of each state, the newest. */
  readonly endpoints: readonly OwnEndpoint[];
  /** The number of matches, of which only some are listed. */
  readonly matches: number;
}

const none: ListedEndpoints = { endpoints: [], matches: 0 };

/**
 * The newest endpoints in some states. Asks for nothing while no endpoint is in them, as the events say. If they cannot be
 * listed, only their number is known.
 * @param limit the most that are asked for of each state, and listed of all
 * @returns null while they are not known
 */
export function useEndpointsIn(states: readonly EndpointState[], limit = MAX_SHOWN): ListedEndpoints | null {
  const status = useDashboard((s) => s.endpointsStatus);
  const there = states.filter((state) => (status?.states[state] ?? 0) > 0);
  const { value: listed, error } = useListed(
    there.map((state) => ({ state })),
    limit,
  );
  if (there.length === 0) return none;
  if (listed === null) {
    const matches = there.reduce((sum, state) => sum + (status?.states[state] ?? 0), 0);
    return error ? { endpoints: [], matches } : null;
  }
  const shown = listed.endpoints.filter(({ endpoint }) => states.includes(endpoint.status.state)).slice(0, limit);
  return { endpoints: shown, matches: listed.matches };
}

/** The endpoints that are assigned to an app, by their ids; null while they are not known. */
export function useEndpointsOfNeeds(needs: readonly AssignedNeed[]): ReadonlyMap<string, OwnEndpoint> | null {
  const { value: listed } = useListed(
    needs.flatMap(({ endpoint }) => endpoint ?? []),
    MAX_SHOWN,
  );
  return listed && new Map(listed.endpoints.map((each) => [endpointKey(each), each]));
}

type Wanted = { readonly state: EndpointState } | EndpointRef;

/** Asks for the endpoints in a state or of a name, a few for each. */
function useListed(wanted: readonly Wanted[], limit: number): Asked<ListedEndpoints> {
  const revision = useDashboard((s) => s.endpointsStatus?.revision ?? 0);
  return useAskedAfter<ListedEndpoints>(revision, ['endpoints', wanted, limit], async (call) => {
    const pages = await Promise.all(
      wanted.map((one) => call('listOwnEndpoints', { query: { ...one, page: 1, limit } })),
    );
    return {
      endpoints: pages.flatMap(({ endpoints }) => endpoints),
      matches: pages.reduce((sum, { matches }) => sum + matches, 0),
    };
  });
}
