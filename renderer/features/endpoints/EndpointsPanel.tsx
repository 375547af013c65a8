import type * as z from 'zod';
import type { EndpointListing, OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { namesForPeople } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { hrefOf } from '../../navigation/route.ts';
import { PrimaryLink } from '../../parts/actions/buttons.tsx';
import { ListCount } from '../../parts/lists/ListCount.tsx';
import { NoSuchPage, Paging } from '../../parts/lists/Paging.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { pageFrom } from '../../slices/base/page-number.ts';
import { namespaceOf } from '../../slices/daemon/session-slice.ts';
import { endpointCommandKey, endpointHref, endpointKey } from '../../slices/models/endpoints-slice.ts';
import { useAskedOfEndpoints } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { SignInCard } from '../session/SignInCard.tsx';
import { useSignedIn } from '../session/use-signed-in.ts';
import { EndpointActivity, EndpointMessage, ModelName } from './EndpointActivity.tsx';
import { EndpointControls } from './EndpointControls.tsx';
import { EndpointFailureNote } from './EndpointFailureNote.tsx';
import { endpointStateText, noEndpointsText, placementText, remoteEndpointsText } from './endpoint-text.ts';
import '../../parts/figures.css';
import '../activity/job-progress.css';
import '../output/output.css';
import './endpoints.css';

const PAGE_ENDPOINTS = 25;

/** Lists the endpoints with their states, newest first. */
export function EndpointsPanel({ query }: { readonly query: string }) {
  const params = new URLSearchParams(query);
  const page = pageFrom(params);
  const asked = useAskedOfEndpoints(['endpoint-page', page], (call, signal) =>
    call('listOwnEndpoints', { query: { page, limit: PAGE_ENDPOINTS }, signal }),
  );
  const signedIn = useSignedIn();
  return (
    <div className="stack">
      {asked.error && (
        <FailedNote error={asked.error} title="The endpoints could not be loaded" onRetry={asked.again} />
      )}
      <RemoteEndpointsNote created={params.get('made')} />
      {asked.value === null && !asked.error && <Skeleton rows={3} />}
      {asked.value && <Endpoints listing={asked.value} made={params.get('made')} signedIn={signedIn} />}
    </div>
  );
}

interface EndpointsProps {
  readonly listing: z.infer<typeof EndpointListing>;
  /** The name of the endpoint created just now, in the user's namespace. */
  readonly made: string | null;
  readonly signedIn: boolean | null;
}

function Endpoints({ listing, made, signedIn }: EndpointsProps) {
  const namespace = useDashboard(namespaceOf);
  if (listing.matches === 0) {
    return (
      <EmptyState
        title="There are no endpoints"
        action={<PrimaryLink href={hrefOf('models')}>Choose a model</PrimaryLink>}
      >
        {noEndpointsText}
      </EmptyState>
    );
  }
  const hrefOfPage = (page: number) => hrefOf('models', { tab: 'endpoints', query: `page=${page}` });
  if (listing.page > listing.pages)
    return <NoSuchPage page={listing.page} pages={listing.pages} hrefOfPage={hrefOfPage} />;
  const created = listing.endpoints.find((each) => each.endpoint.name === made && each.namespace === namespace) ?? null;
  const nameOf = namesForPeople(listing.endpoints);
  return (
    <>
      {/* Screen readers hear how the deploy goes. */}
      <p className="visually-hidden" role="status">
        {created && `${made}: ${endpointStateText(created).word}`}
      </p>
      {signedIn === false && <SignInCard to="change endpoints" />}
      <section className="card" aria-label="Endpoints">
        <table className="figures endpoint-table">
          <caption className="visually-hidden">Endpoints, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Endpoint</th>
              <th scope="col">State</th>
              {['Runs on', 'Access', 'Created'].map((name) => (
                <th key={name} scope="col" className="endpoint-more">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          {listing.endpoints.map((each) => (
            <EndpointRows
              key={endpointKey(each)}
              ownEndpoint={each}
              nameForPeople={nameOf(each)}
              isNew={each === created}
              mayChange={signedIn === true}
            />
          ))}
        </table>
      </section>
      <ListCount matches={listing.matches} noun="endpoint" page={listing.page} pages={listing.pages} />
      <Paging page={listing.page} pages={listing.pages} noun="endpoint" hrefOfPage={hrefOfPage} />
    </>
  );
}

/** With a remote catalog, deploys create endpoints at its service, which are not listed here. */
function RemoteEndpointsNote({ created }: { readonly created: string | null }) {
  const source = useDashboard((s) => s.catalogSource);
  if (source?.kind !== 'remote') return null;
  return (
    <Note
      tone="idle"
      title={
        created === null ? `New endpoints are created at ${source.url}` : `${created} was created at ${source.url}`
      }
    >
      {remoteEndpointsText}
    </Note>
  );
}

interface EndpointRowsProps {
  readonly ownEndpoint: OwnEndpoint;
  readonly nameForPeople: string;
  /** Created just now. */
  readonly isNew: boolean;
  readonly mayChange: boolean;
}

/** A row of figures, and below it the activity and the controls; everything else is on the endpoint's page. */
function EndpointRows({ ownEndpoint, nameForPeople, isNew, mayChange }: EndpointRowsProps) {
  const { namespace, endpoint } = ownEndpoint;
  const { name, type, status } = endpoint;
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
          <StateWord {...endpointStateText(ownEndpoint)} />
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
          <div className="row bar endpoint-line">
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
