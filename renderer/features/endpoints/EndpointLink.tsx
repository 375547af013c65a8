import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpointHref } from '../../slices/models/endpoints-slice.ts';

/** The name of an endpoint, as a link to it. */
export function EndpointLink({ ownEndpoint }: { readonly ownEndpoint: OwnEndpoint }) {
  const { namespace, endpoint } = ownEndpoint;
  return (
    <a className="mono endpoint-link" href={endpointHref(ownEndpoint)} title={`${namespace}/${endpoint.name}`}>
      {endpoint.name}
    </a>
  );
}
