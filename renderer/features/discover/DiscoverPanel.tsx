import { Button } from '@mantine/core';
import { hrefOf } from '../../navigation/route.ts';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { refusalOf } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { StoreAge } from './StoreAge.tsx';
import { StoreCard } from './StoreCard.tsx';
import { StorePaging } from './StorePaging.tsx';
import { StoreSearch } from './StoreSearch.tsx';
import './store.css';

/** Searches, sorts and pages the local copy of the hub's app list. */
export function DiscoverPanel() {
  const loadStore = useDashboard((s) => s.loadStore);
  const refreshStore = useDashboard((s) => s.refreshStore);
  const failure = useDashboard((s) => (s.storePage?.state === 'failed' ? s.storePage.error : refusalOf('store')(s)));
  useWhenConnected(loadStore, '');
  return (
    <div className="stack">
      <StoreSearch />
      <StoreAge />
      {failure && (
        <FailedNote
          error={failure}
          title="The apps of the hub could not be loaded"
          onRetry={() => void refreshStore()}
        />
      )}
      <StoreResults />
      <PrivateNote />
    </div>
  );
}

function StoreResults() {
  const page = useDashboard((s) => s.storePage?.value ?? null);
  const loading = useDashboard((s) => s.storePage?.state !== 'failed');
  const never = useDashboard((s) => s.store?.fetchedAt === null);
  if (!page) return loading ? <Skeleton rows={6} cards /> : null;
  if (page.matches === 0) return page.search.trim() === '' || never ? <NothingYet /> : <NoMatch search={page.search} />;
  return (
    <>
      <ul className="app-grid" aria-label="Apps of the hub">
        {page.apps.map((app) => (
          <StoreCard key={app.id} app={app} />
        ))}
      </ul>
      <StorePaging page={page.page} pages={page.pages} matches={page.matches} />
    </>
  );
}

function NoMatch({ search }: { readonly search: string }) {
  const browseStore = useDashboard((s) => s.browseStore);
  return (
    <EmptyState
      title={`No app matches "${search.trim()}"`}
      action={
        <Button variant="default" onClick={() => void browseStore({ search: '' })}>
          Clear the search
        </Button>
      }
    >
      Each search word must appear in the name, title, description or author.
    </EmptyState>
  );
}

/** Shown when the hub has no apps or was never loaded. */
function NothingYet() {
  const store = useDashboard((s) => s.store);
  const refreshStore = useDashboard((s) => s.refreshStore);
  if (!store || store.refreshing) return <Skeleton rows={6} cards />;
  const never = store.fetchedAt === null;
  return (
    <EmptyState
      title={never ? 'The apps of the hub are not loaded yet' : 'The hub has no apps'}
      action={
        <Button variant="default" onClick={() => void refreshStore()}>
          Try again
        </Button>
      }
    >
      {store.problem ?? (never ? 'They are loaded when this machine has a network.' : `${store.hub} lists none.`)} Most
      samples install without a network.
    </EmptyState>
  );
}

/** Tells a signed-out user how to see private apps. */
function PrivateNote() {
  const signedOut = useDashboard((s) => s.hubAccount !== null && s.hubAccount.name === null);
  if (!signedOut) return null;
  return (
    <p className="muted small">
      Private apps are shown once you sign in to the hub, in <a href={hrefOf('settings')}>Settings</a>.
    </p>
  );
}
