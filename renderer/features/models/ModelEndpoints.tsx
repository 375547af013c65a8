import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { hrefOf } from '../../navigation/route.ts';
import { counted } from '../../parts/format.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { endpointKey } from '../../slices/models/endpoints-slice.ts';
import { EndpointLink } from '../endpoints/EndpointLink.tsx';
import { endpointStateText, usageText } from '../endpoints/endpoint-text.ts';
import { useEndpointsOf } from './model-queries.ts';

/** The endpoints that serve a model, with their states; nothing while there are none. */
export function ModelEndpoints({ repoId }: { readonly repoId: string }) {
  const { endpoints, matches } = useEndpointsOf(repoId);
  if (matches === 0) return null;
  return (
    <section className="model-endpoints" aria-label="Endpoints of this model">
      <p className="muted small">{matches === 1 ? 'An endpoint serves it:' : `${matches} endpoints serve it:`}</p>
      <ul className="stack-small">
        {endpoints.map((each) => (
          <ModelEndpoint key={endpointKey(each)} ownEndpoint={each} />
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

function ModelEndpoint({ ownEndpoint }: { readonly ownEndpoint: OwnEndpoint }) {
  const { word, tone } = endpointStateText(ownEndpoint);
  return (
    <li className="endpoint-short">
      <EndpointLink ownEndpoint={ownEndpoint} />
      <StateWord tone={tone}>{word}</StateWord>
      <span className="muted small">{usageText(ownEndpoint)}</span>
    </li>
  );
}
