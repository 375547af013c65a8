import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { endpointHref, endpointKey } from '../../slices/models/endpoints-slice.ts';
import { endpointStateText, usageText } from './endpoint-text.ts';
import './endpoint-short.css';

/** An endpoint in one line: its name, its state, and what it uses. */
export function EndpointShort({ ownEndpoint, name }: NamedEndpointProps) {
  return (
    <span className="endpoint-short">
      <EndpointLink ownEndpoint={ownEndpoint} name={name} />
      <StateWord {...endpointStateText(ownEndpoint)} />
      <span className="muted small">{usageText(ownEndpoint)}</span>
    </span>
  );
}

export interface NamedEndpointProps {
  readonly ownEndpoint: OwnEndpoint;
  /** As `namesForPeople` names it beside the other endpoints of its list. */
  readonly name: string;
}

export function EndpointLink({ ownEndpoint, name }: NamedEndpointProps) {
  return (
    <a className="mono anywhere" href={endpointHref(ownEndpoint)} title={endpointKey(ownEndpoint)}>
      {name}
    </a>
  );
}
