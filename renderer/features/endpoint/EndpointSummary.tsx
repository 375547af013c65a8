import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { endpointCommandKey } from '../../slices/models/endpoints-slice.ts';
import { EndpointActivity, EndpointMessage, EndpointNotes } from '../endpoints/EndpointActivity.tsx';
import { EndpointControls } from '../endpoints/EndpointControls.tsx';
import { EndpointFailureNote } from '../endpoints/EndpointFailureNote.tsx';
import { endpointStateText, placementText } from '../endpoints/endpoint-text.ts';
import { ModelName } from '../endpoints/ModelName.tsx';

interface EndpointSummaryProps {
  readonly detail: EndpointDetail;
  /** Whether the user may change it. */
  readonly mayChange: boolean;
}

/** The state of an endpoint with its cause, what it serves, and the buttons that change it. */
export function EndpointSummary({ detail, mayChange }: EndpointSummaryProps) {
  const { namespace, endpoint } = detail;
  const { word, tone } = endpointStateText(detail);
  const [location] = placementText(endpoint);
  return (
    <section className="card endpoint-summary" aria-label={endpoint.name}>
      <p className="visually-hidden" role="status">
        {endpoint.name}: {word}
      </p>
      <div className="endpoint-line">
        <div className="endpoint-names">
          <StateWord tone={tone}>{word}</StateWord>
          <span className="small">
            <ModelName endpoint={endpoint} /> · {endpoint.model.task}
          </span>
          <span className="muted small">
            namespace {namespace} · {location} · {endpoint.type}
          </span>
        </div>
        {mayChange && (
          <EndpointControls
            ownEndpoint={detail}
            name={endpoint.name}
            onDeleted={() => navigate(hrefOf('models', { tab: 'endpoints' }))}
          />
        )}
      </div>
      <EndpointFailureNote ownEndpoint={detail} />
      <RefusalNote commandKey={endpointCommandKey(detail)} />
      <EndpointMessage ownEndpoint={detail} />
      <EndpointActivity ownEndpoint={detail} />
      <EndpointNotes ownEndpoint={detail} />
    </section>
  );
}
