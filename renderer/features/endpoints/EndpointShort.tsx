import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { EndpointLink } from './EndpointLink.tsx';
import { endpointStateText, usageText } from './endpoint-text.ts';
import './endpoint-short.css';

/** An endpoint in one line: its name, its state, and what it uses. */
export function EndpointShort({ ownEndpoint }: { readonly ownEndpoint: OwnEndpoint }) {
  const { word, tone } = endpointStateText(ownEndpoint);
  return (
    <span className="endpoint-short">
      <EndpointLink ownEndpoint={ownEndpoint} />
      <StateWord tone={tone}>{word}</StateWord>
      <span className="muted small">{usageText(ownEndpoint)}</span>
    </span>
  );
}
