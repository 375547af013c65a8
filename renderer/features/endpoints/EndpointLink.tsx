import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpointHref, endpointKey } from '../../slices/models/endpoints-slice.ts';

export interface NamedEndpointProps {
  readonly ownEndpoint: OwnEndpoint;
  /** As `namesForPeople` names it beside the other endpoints of its list. */
  readonly name: string;
}

/** The name of an endpoint, as a link to it. */
export function EndpointLink({ ownEndpoint, name }: NamedEndpointProps) {
  return (
    <a className="mono endpoint-link" href={endpointHref(ownEndpoint)} title={endpointKey(ownEndpoint)}>
      {name}
    </a>
  );
}
