import { Button } from '@mantine/core';
import { hrefOf } from '../../navigation/route.ts';
import { ListCount } from '../../parts/lists/ListCount.tsx';
import { NoSuchPage, Paging } from '../../parts/lists/Paging.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { pageFrom } from '../../slices/base/page-number.ts';
import { isSignedIn, namespaceOf } from '../../slices/daemon/session-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { SignInForm } from '../session/SignInForm.tsx';
import { EndpointTable } from './EndpointTable.tsx';
import { endpointStateText } from './endpoint-text.ts';
import '../activity/job-progress.css';
import '../output/output.css';
import './endpoints.css';

/** Lists the endpoints with their states, newest first. */
export function EndpointsPanel({ query }: { readonly query: string }) {
  const params = new URLSearchParams(query);
  const page = pageFrom(params);
  const loadEndpoints = useDashboard((s) => s.loadEndpoints);
  const loadSession = useDashboard((s) => s.loadSession);
  // Each change of an endpoint increments it.
  const revision = useDashboard((s) => s.endpointsStatus?.revision ?? 0);
  const failure = useDashboard((s) => (s.endpointPage?.state === 'failed' ? s.endpointPage.error : null));
  useWhenConnected(loadEndpoints, String(page), String(revision));
  useWhenConnected(loadSession, '');
  return (
    <div className="stack">
      {failure && (
        <FailedNote
          error={failure}
          title="The endpoints could not be loaded"
          onRetry={() => void loadEndpoints(String(page))}
        />
      )}
      <RemoteEndpointsNote created={params.get('made')} />
      <Endpoints made={params.get('made')} />
    </div>
  );
}

/** @param made the name of the endpoint created just now, in the user's namespace */
function Endpoints({ made }: { readonly made: string | null }) {
  const listing = useDashboard((s) => s.endpointPage?.value ?? null);
  const state = useDashboard((s) => s.endpointPage?.state);
  const signedIn = useDashboard(isSignedIn);
  const namespace = useDashboard(namespaceOf);
  if (!listing) return state === 'failed' ? null : <Skeleton rows={3} />;
  if (listing.matches === 0) return <NoEndpoints />;
  const hrefOfPage = (page: number) => hrefOf('models', { tab: 'endpoints', query: `page=${page}` });
  if (listing.page > listing.pages)
    return <NoSuchPage page={listing.page} pages={listing.pages} hrefOfPage={hrefOfPage} />;
  const created = listing.endpoints.find((each) => each.endpoint.name === made && each.namespace === namespace) ?? null;
  return (
    <>
      {/* Screen readers hear how the deploy goes. */}
      <p className="visually-hidden" role="status">
        {created && `${made}: ${endpointStateText(created).word}`}
      </p>
      {signedIn === false && (
        <section className="card stack" aria-labelledby="endpoints-sign-in">
          <h2 id="endpoints-sign-in">Sign in to change endpoints</h2>
          <SignInForm />
        </section>
      )}
      <section className="card" aria-label="Endpoints">
        <EndpointTable endpoints={listing.endpoints} created={created} mayChange={signedIn === true} />
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
      View and change them there. Below are the endpoints of this daemon.
    </Note>
  );
}

function NoEndpoints() {
  return (
    <EmptyState
      title="There are no endpoints"
      action={
        <Button component="a" href={hrefOf('models')}>
          Choose a model
        </Button>
      }
    >
      An endpoint serves a model. Deploy one from the catalog and it is listed here.
    </EmptyState>
  );
}
