import type { EndpointState } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpointId, namesForPeople } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { hrefOf } from '../../navigation/route.ts';
import { counted } from '../../parts/format.ts';
import { runOf } from '../../slices/apps/apps-slice.ts';
import { endpointKey } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { EndpointShort } from '../endpoints/EndpointShort.tsx';
import { useEndpointsIn } from './use-home-endpoints.ts';

const awake: readonly EndpointState[] = ['running', 'initializing', 'updating'];

/** The endpoints that use this machine now, except those that the running app's card shows; nothing while all sleep. */
export function RunningEndpoints() {
  const listed = useEndpointsIn(awake);
  const slot = useDashboard((s) => s.slot);
  const apps = useDashboard((s) => s.installedApps);
  const needs = apps.find(({ name }) => runOf(slot, name) !== null)?.needs ?? [];
  const isShown = (key: string) => needs.some(({ endpoint }) => endpoint && endpointId(endpoint) === key);
  const endpoints = listed?.endpoints.filter((each) => !isShown(endpointKey(each))) ?? [];
  const nameOf = namesForPeople(endpoints);
  const more = listed === null ? 0 : listed.matches - listed.endpoints.length;
  if (endpoints.length === 0 && more === 0) return null;
  return (
    <section className="card stack" aria-labelledby="home-endpoints-title">
      <div className="home-head">
        <h2 id="home-endpoints-title">Models that run</h2>
        <a href={hrefOf('models', { tab: 'endpoints' })}>
          {more > 0 ? counted(more, endpoints.length > 0 ? 'more endpoint' : 'endpoint') : 'All endpoints'}
        </a>
      </div>
      {endpoints.length > 0 && (
        <ul className="home-endpoints">
          {endpoints.map((each) => (
            <li key={endpointKey(each)}>
              <EndpointShort ownEndpoint={each} name={nameOf(each)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
