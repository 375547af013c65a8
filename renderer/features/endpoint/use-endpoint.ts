import type { EndpointDetail, EndpointRef } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointHistory } from '../../../daemon/contract/endpoints/endpoint-history.ts';
import { type Asked, useAgainEvery, useAsked, useAskedOfEndpoints } from '../../store/use-asked.ts';

/** The history has a new sample every half a minute; the last one grows meanwhile. */
const HISTORY_MS = 10_000;
/**
 * The memory, the processor time and the requests of replicas are measured when they are asked for, and only while the page
 * of their endpoint is seen. Events have none of them: the stream does not know which page its reader shows, so the daemon
 * would measure every replica all the time, and for each container ask its engine.
 */
const FIGURES_MS = 5_000;

/** One endpoint, asked for again after each change of an endpoint, and for its figures while the page is seen. */
export function useEndpoint({ namespace, name }: EndpointRef): Asked<EndpointDetail> {
  const asked = useAskedOfEndpoints(['endpoint', namespace, name], (call, signal) =>
    call('getOwnEndpoint', { params: { namespace, name }, signal }),
  );
  useAgainEvery(FIGURES_MS, asked);
  return asked;
}

/** The use of an endpoint over the last hour, asked for again while the page is seen. */
export function useHistory({ namespace, name }: EndpointRef): Asked<EndpointHistory> {
  const asked = useAsked(['endpoint-history', namespace, name], (call, signal) =>
    call('getEndpointHistory', { params: { namespace, name }, signal }),
  );
  useAgainEvery(HISTORY_MS, asked);
  return asked;
}
