import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { namesForPeople } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { endpointCommandKey, endpointHref, endpointKey } from '../../slices/models/endpoints-slice.ts';
import { EndpointActivity, EndpointMessage } from './EndpointActivity.tsx';
import { EndpointControls } from './EndpointControls.tsx';
import { EndpointFailureNote } from './EndpointFailureNote.tsx';
import { endpointStateText, placementText } from './endpoint-text.ts';
import { ModelName } from './ModelName.tsx';
import '../../parts/figures.css';

interface EndpointTableProps {
  readonly endpoints: readonly OwnEndpoint[];
  /** The endpoint created just now, marked as new. */
  readonly created: OwnEndpoint | null;
  readonly mayChange: boolean;
}

export function EndpointTable({ endpoints, created, mayChange }: EndpointTableProps) {
  const nameOf = namesForPeople(endpoints);
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
            Access
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
          nameForPeople={nameOf(each)}
          isNew={each === created}
          mayChange={mayChange}
        />
      ))}
    </table>
  );
}

interface EndpointRowsProps {
  readonly ownEndpoint: OwnEndpoint;
  readonly nameForPeople: string;
  readonly isNew: boolean;
  readonly mayChange: boolean;
}

/** A row of figures, and below it the activity and the controls; everything else is on the endpoint's page. */
function EndpointRows({ ownEndpoint, nameForPeople, isNew, mayChange }: EndpointRowsProps) {
  const { namespace, endpoint } = ownEndpoint;
  const { name, type, status } = endpoint;
  const { word, tone } = endpointStateText(ownEndpoint);
  const [location, machine] = placementText(endpoint);
  return (
    <tbody>
      <tr className="endpoint-figures">
        <th scope="row">
          <a className="mono endpoint-name" href={endpointHref(ownEndpoint)}>
            {name}
          </a>
          {isNew && <span className="endpoint-mark">new</span>}
          <ModelName endpoint={endpoint} />
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
          <EndpointFailureNote ownEndpoint={ownEndpoint} />
          <div className="endpoint-line">
            <EndpointMessage ownEndpoint={ownEndpoint} />
            {mayChange && <EndpointControls ownEndpoint={ownEndpoint} name={nameForPeople} />}
          </div>
          <RefusalNote commandKey={endpointCommandKey(ownEndpoint)} />
          <EndpointActivity ownEndpoint={ownEndpoint} />
        </td>
      </tr>
    </tbody>
  );
}
