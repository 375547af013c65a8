import { Button } from '@mantine/core';
import { useEffect } from 'react';
import type { StoreSort } from '../../../daemon/contract/apps/store.ts';
import { hrefOf, navigate, parseRoute, replaceAddress } from '../../navigation/route.ts';
import { LinkButton, SendButton, SmallButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import type { Choice } from '../../parts/forms/RadioList.tsx';
import { Segments } from '../../parts/forms/Segments.tsx';
import { TypedSearch } from '../../parts/forms/TypedSearch.tsx';
import { ListCount } from '../../parts/lists/ListCount.tsx';
import { NoSuchPage, Paging } from '../../parts/lists/Paging.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { hrefOfStore, parseStoreQuery, type StoreQuery, storeQueryText } from '../../slices/apps/store-query.ts';
import { isOutdated } from '../../slices/apps/store-status.ts';
import { refusalOf } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { emptyStoreText, lastCopyText, noStoreMatchText, notLoadedText, privateAppsText } from './apps-text.ts';
import { StoreCard } from './StoreCard.tsx';
import { type FoundPage, useStorePage } from './store-queries.ts';
import '../../parts/app-grid.css';
import './apps.css';

/** Searches, sorts and pages the local copy of the hub's app list, as the address says. */
export function DiscoverPanel({ query: text }: { readonly query: string }) {
  const query = parseStoreQuery(text);
  const queryText = storeQueryText(query);
  const { value: page, error, loading, again } = useStorePage(query);
  const store = useDashboard((s) => s.store);
  const rememberQuery = useDashboard((s) => s.rememberQuery);
  const refused = useDashboard(refusalOf('store'));
  const send = useDashboard((s) => s.send);
  const refresh = () => void send('store', (call) => call('refreshStore')).then(again);
  const isNewer = page !== null && isOutdated(store, page);
  const isEmpty = page?.matches === 0;
  useEffect(() => rememberQuery('discover', queryText), [rememberQuery, queryText]);
  // A list with nothing in it has nothing that could move under the pointer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` is another function at each render
  useEffect(() => {
    if (isNewer && isEmpty) again();
  }, [isNewer, isEmpty]);
  const failure = error ?? refused;
  return (
    <div className="stack">
      <TypedSearch
        label="Search apps"
        search={query.search}
        // The address may be newer than the rendered one.
        onSearch={(search) =>
          replaceAddress(hrefOfStore(parseStoreQuery(parseRoute(window.location.hash).query), { search }))
        }
      >
        <Segments
          legend="Sort by"
          choices={sorts}
          chosen={query.sort}
          onChoose={(sort) => navigate(hrefOfStore(query, { sort }))}
        />
      </TypedSearch>
      <StoreAge isNewer={isNewer && !isEmpty} onShowNewest={again} onRefresh={refresh} />
      {failure && <FailedNote error={failure} title="The apps of the hub could not be loaded" onRetry={refresh} />}
      {page && <StoreResults page={page} query={query} busy={loading} isNewer={isNewer && !error} onRetry={refresh} />}
      {!page && !error && <Skeleton rows={6} cards />}
      <PrivateNote />
    </div>
  );
}

interface StoreResultsProps {
  readonly page: FoundPage;
  readonly query: StoreQuery;
  readonly busy: boolean;
  /** The hub's copy is newer than the page. */
  readonly isNewer: boolean;
  readonly onRetry: () => void;
}

function StoreResults({ page, query, busy, isNewer, onRetry }: StoreResultsProps) {
  const refreshing = useDashboard((s) => s.store?.refreshing === true);
  const never = useDashboard((s) => s.store?.fetchedAt === null);
  if (page.matches === 0) {
    // The app that is looked for may be about to come, such as an app that was just published.
    if (refreshing || isNewer) return <Skeleton rows={6} cards />;
    return page.search === '' || never ? (
      <NothingYet onRetry={onRetry} />
    ) : (
      <NoMatch search={page.search} query={query} />
    );
  }
  const hrefOfPage = (next: number) => hrefOfStore(query, { page: next });
  if (page.page > page.pages) return <NoSuchPage page={page.page} pages={page.pages} hrefOfPage={hrefOfPage} />;
  return (
    <>
      <ListCount matches={page.matches} noun="app" page={page.page} pages={page.pages} />
      <ul
        className="app-grid"
        aria-label="Apps of the hub"
        aria-busy={busy}
        data-results-of={busy ? undefined : query.search}
      >
        {page.apps.map((app) => (
          <StoreCard key={app.id} app={app} sort={query.sort} />
        ))}
      </ul>
      <Paging page={page.page} pages={page.pages} noun="app" hrefOfPage={hrefOfPage} />
    </>
  );
}

function NoMatch({ search, query }: { readonly search: string; readonly query: StoreQuery }) {
  return (
    <EmptyState
      title={`No app matches "${search}"`}
      action={
        <LinkButton href={hrefOfStore(query, { search: '' })} size="sm">
          Clear the search
        </LinkButton>
      }
    >
      {noStoreMatchText}
    </EmptyState>
  );
}

/** Shown when the hub has no apps or was never loaded. */
function NothingYet({ onRetry }: { readonly onRetry: () => void }) {
  const store = useDashboard((s) => s.store);
  if (!store) return <Skeleton rows={6} cards />;
  return (
    <EmptyState
      title={store.fetchedAt === null ? notLoadedText : 'The hub has no apps'}
      action={
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {emptyStoreText(store)}
    </EmptyState>
  );
}

/** Tells a signed-out user how to see private apps. */
function PrivateNote() {
  const signedOut = useDashboard((s) => s.hubAccount !== null && s.hubAccount.name === null);
  if (!signedOut) return null;
  return (
    <p className="muted small">
      {privateAppsText} <a href={hrefOf('settings')}>Settings</a>.
    </p>
  );
}

const sorts = [
  { value: 'popular', label: 'Popular' },
  { value: 'recent', label: 'Recent' },
  { value: 'updated', label: 'Updated' },
] as const satisfies readonly Choice<StoreSort>[];

interface StoreAgeProps {
  /** The hub's copy is newer than the shown results. */
  readonly isNewer: boolean;
  readonly onShowNewest: () => void;
  readonly onRefresh: () => void;
}

/** Shows the age of the hub's copy, why it could not be updated, and Refresh. */
function StoreAge({ isNewer, onShowNewest, onRefresh }: StoreAgeProps) {
  const store = useDashboard((s) => s.store);
  if (!store) return null;
  const { fetchedAt, refreshing, problem } = store;
  return (
    <>
      <div className="row store-age">
        <span className="muted small" role="status">
          {refreshing ? (
            'Loading from the hub…'
          ) : fetchedAt === null ? (
            notLoadedText
          ) : (
            <>
              Loaded from the hub <TimeAgo at={fetchedAt} />
            </>
          )}
        </span>
        {isNewer && !refreshing ? (
          // The list never changes under the pointer: the user asks for the new one.
          <SmallButton onClick={onShowNewest}>Show the newest</SmallButton>
        ) : (
          <SendButton
            commandKey="store"
            disabled={refreshing}
            onClick={onRefresh}
            copies={callAction('Refresh', 'refreshStore')}
          >
            Refresh
          </SendButton>
        )}
      </div>
      {problem !== null && fetchedAt !== null && !refreshing && (
        <Note tone="offline" title="The list could not be updated.">
          <p>{problem}</p>
          <p>{lastCopyText}</p>
        </Note>
      )}
    </>
  );
}
