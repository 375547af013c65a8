import type { AssignedNeed } from '../../../daemon/contract/apps/needs.ts';
import type { EndpointState, OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpointKey } from '../../slices/models/endpoints-slice.ts';
import { endpointsIn, endpointsNamed, type ListedEndpoints } from '../../slices/models/listed-endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';

/** The most endpoints that a list of Home shows. */
const MAX_SHOWN = 3;

const none: ListedEndpoints = { endpoints: [], matches: 0 };

/**
 * The newest endpoints in some states. Asks for nothing while no endpoint is in them, as the events say. If they cannot be
 * listed, only their number is known.
 * @returns null while they are not known
 */
export function useEndpointsIn(states: readonly EndpointState[]): ListedEndpoints | null {
  const status = useDashboard((s) => s.endpointsStatus);
  const there = states.filter((state) => (status?.states[state] ?? 0) > 0);
  const key = endpointsIn(there);
  const listed = useListed(key);
  const isUnlisted = useDashboard((s) => s.listedEndpoints[key]?.state === 'failed');
  if (there.length === 0) return none;
  if (listed === null) {
    const matches = there.reduce((sum, state) => sum + (status?.states[state] ?? 0), 0);
    return isUnlisted ? { endpoints: [], matches } : null;
  }
  const shown = listed.endpoints.filter(({ endpoint }) => states.includes(endpoint.status.state)).slice(0, MAX_SHOWN);
  return { endpoints: shown, matches: listed.matches };
}

/** The endpoints that are assigned to an app, by their ids; null while they are not known. */
export function useEndpointsOfNeeds(needs: readonly AssignedNeed[]): ReadonlyMap<string, OwnEndpoint> | null {
  const listed = useListed(endpointsNamed(needs.flatMap(({ endpoint }) => endpoint ?? [])));
  return listed && new Map(listed.endpoints.map((each) => [endpointKey(each), each]));
}

function useListed(key: string): ListedEndpoints | null {
  const revision = useDashboard((s) => s.endpointsStatus?.revision ?? 0);
  const loadListedEndpoints = useDashboard((s) => s.loadListedEndpoints);
  const listed = useDashboard((s) => s.listedEndpoints[key]?.value ?? null);
  useWhenConnected(loadListedEndpoints, key, String(revision));
  return listed;
}
