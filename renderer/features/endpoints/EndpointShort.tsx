import { StateWord } from '../../parts/notes/StateWord.tsx';
import { EndpointLink, type NamedEndpointProps } from './EndpointLink.tsx';
import { endpointStateText, usageText } from './endpoint-text.ts';
import './endpoint-short.css';

/** An endpoint in one line: its name, its state, and what it uses. */
export function EndpointShort({ ownEndpoint, name }: NamedEndpointProps) {
  const { word, tone } = endpointStateText(ownEndpoint);
  return (
    <span className="endpoint-short">
      <EndpointLink ownEndpoint={ownEndpoint} name={name} />
      <StateWord tone={tone}>{word}</StateWord>
      <span className="muted small">{usageText(ownEndpoint)}</span>
    </span>
  );
}
