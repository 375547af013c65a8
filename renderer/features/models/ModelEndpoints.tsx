import { namesForPeople } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { hrefOf } from '../../navigation/route.ts';
import { counted } from '../../parts/format.ts';
import { endpointKey } from '../../slices/models/endpoints-slice.ts';
import { EndpointShort } from '../endpoints/EndpointShort.tsx';
import { useEndpointsOf } from './model-queries.ts';

/** The endpoints that serve a model, with their states; nothing while there are none. */
export function ModelEndpoints({ repoId }: { readonly repoId: string }) {
  const { endpoints, matches } = useEndpointsOf(repoId);
  if (matches === 0) return null;
  const nameOf = namesForPeople(endpoints);
  return (
    <section className="model-endpoints" aria-label="Endpoints of this model">
      <p className="muted small">Deployed as</p>
      <ul>
        {endpoints.map((each) => (
          <li key={endpointKey(each)}>
            <EndpointShort ownEndpoint={each} name={nameOf(each)} />
          </li>
        ))}
      </ul>
      {matches > endpoints.length && (
        <p className="small">
          <a href={hrefOf('models', { tab: 'endpoints' })}>{counted(matches - endpoints.length, 'more endpoint')}</a>
        </p>
      )}
    </section>
  );
}
