import type { AssignedNeed } from '../../../daemon/contract/apps/needs.ts';
import { endpointId, namesForPeople } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { EndpointShort } from '../endpoints/EndpointShort.tsx';
import { useEndpointsOfNeeds } from './use-home-endpoints.ts';

/** The models that the running app uses: the endpoint of each need, its state and what it uses. */
export function AppEndpoints({ needs }: { readonly needs: readonly AssignedNeed[] }) {
  const endpoints = useEndpointsOfNeeds(needs);
  const nameOf = namesForPeople([...(endpoints?.values() ?? [])]);
  return (
    <ul className="home-endpoints" aria-label="Models it uses">
      {needs.map(({ name, endpoint }) => {
        const found = endpoint && endpoints?.get(endpointId(endpoint));
        return (
          <li key={name}>
            <span className="muted small home-need">{name}</span>
            {found ? (
              <EndpointShort ownEndpoint={found} name={nameOf(found)} />
            ) : (
              <span className="muted small">
                {endpoint === null
                  ? 'no endpoint is assigned'
                  : endpoints === null
                    ? endpoint.name
                    : `its endpoint ${endpoint.name} was deleted`}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
