import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { hrefOf } from '../../navigation/route.ts';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { endpointCommandKey, endpointKey } from '../../slices/models/endpoints-slice.ts';
import { EndpointControls } from './EndpointControls.tsx';
import { endpointStateText, placementText } from './endpoint-text.ts';

interface EndpointTableProps {
  readonly endpoints: readonly OwnEndpoint[];
  /** The name of the endpoint created just now, marked as new. */
  readonly created: string | null;
  readonly mayChange: boolean;
}

export function EndpointTable({ endpoints, created, mayChange }: EndpointTableProps) {
  return (
    <table className="figures endpoint-table">
      <caption className="visually-hidden">Endpoints, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Endpoint</th>
          <th scope="col">State</th>
          <th scope="col" className="endpoint-more">
            Runs on
          </th>
          <th scope="col" className="endpoint-more">
            Type
          </th>
          <th scope="col" className="endpoint-more">
            Created
          </th>
        </tr>
      </thead>
      {endpoints.map((each) => (
        <EndpointRows
          key={endpointKey(each)}
          ownEndpoint={each}
          isNew={each.endpoint.name === created}
          mayChange={mayChange}
        />
      ))}
    </table>
  );
}

interface EndpointRowsProps {
  readonly ownEndpoint: OwnEndpoint;
  readonly isNew: boolean;
  readonly mayChange: boolean;
}

/** A row of figures, and below it the message and the controls. */
function EndpointRows({ ownEndpoint, isNew, mayChange }: EndpointRowsProps) {
  const { namespace, endpoint, reasons } = ownEndpoint;
  const { name, type, model, status } = endpoint;
  const { word, tone } = endpointStateText(status.state);
  const [location, machine] = placementText(endpoint);
  return (
    <tbody>
      <tr className="endpoint-figures">
        <th scope="row">
          <span className="mono endpoint-name">{name}</span>
          {isNew && <span className="endpoint-mark">new</span>}
          <a className="small endpoint-model" href={hrefOf('models', { modelId: model.repository })}>
            {model.repository}
          </a>
          <span className="muted small endpoint-model">namespace {namespace}</span>
        </th>
        <td>
          <StateWord tone={tone}>{word}</StateWord>
        </td>
        <td className="endpoint-more">
          {location}
          {machine !== null && <span className="muted small mono endpoint-machine">{machine}</span>}
        </td>
        <td className="endpoint-more">{type}</td>
        <td className="endpoint-more">
          <TimeAgo at={status.createdAt} />
        </td>
      </tr>
      <tr className="endpoint-status">
        <td colSpan={5}>
          {/* The columns that a narrow window hides. */}
          <p className="muted small endpoint-narrow">
            {location} · {type} · created <TimeAgo at={status.createdAt} />
          </p>
          <div className="endpoint-line">
            <p>{status.errorMessage ?? status.message}</p>
            {mayChange && <EndpointControls ownEndpoint={ownEndpoint} />}
          </div>
          {reasons.length > 0 && <p className="muted small">{reasons.join(' ')} (as checked at creation)</p>}
          <RefusalNote commandKey={endpointCommandKey(ownEndpoint)} />
        </td>
      </tr>
    </tbody>
  );
}
