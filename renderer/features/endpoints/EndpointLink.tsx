import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { hrefOf } from '../../navigation/route.ts';

type Named = { readonly namespace: string; readonly endpoint: Pick<OwnEndpoint['endpoint'], 'name'> };

/** The name of an endpoint, as a link to it. */
export function EndpointLink({ ownEndpoint: { namespace, endpoint } }: { readonly ownEndpoint: Named }) {
  return (
    <a
      className="mono endpoint-link"
      href={hrefOf('models', { tab: 'endpoints' })}
      title={`${namespace}/${endpoint.name}`}
    >
      {endpoint.name}
    </a>
  );
}
