import { useEffect } from 'react';
import type { CatalogSourceStatus, ModelPage, ModelSummary } from '../../../daemon/contract/catalog/models.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { hrefOf, navigate, replaceAddress } from '../../navigation/route.ts';
import { LinkButton, SmallButton } from '../../parts/actions/buttons.tsx';
import { Foreign, ForeignLink } from '../../parts/Foreign.tsx';
import { counted, parameters } from '../../parts/format.ts';
import { Segments } from '../../parts/forms/Segments.tsx';
import { TypedSearch } from '../../parts/forms/TypedSearch.tsx';
import { focusListCount } from '../../parts/lists/ListCount.tsx';
import { NoSuchPage, Paging } from '../../parts/lists/Paging.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { PublisherTile } from '../../parts/tiles/PublisherTile.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isNewerThan } from '../../slices/models/catalog-source.ts';
import {
  hrefOfModels,
  type ModelQuery,
  modelQueryNow,
  modelQueryText,
  parseModelQuery,
  withoutFilters,
} from '../../slices/models/models-query.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CompareToggle } from '../compare/CompareControls.tsx';
import { fitText, taskText } from '../deploy/fit-text.ts';
import { ChosenFilters, FilterPanel } from './FilterPanel.tsx';
import { FitSentence } from './FitSentence.tsx';
import { useModelPage } from './model-queries.ts';
import {
  bestHelp,
  clearQueryText,
  emptyCatalogText,
  filtersOf,
  lastCopyText,
  noMatchText,
  sortsOf,
} from './model-text.ts';
import { SpeedLine } from './SpeedLine.tsx';
import '../app-card/app-card.css';
import './models.css';
import '../../parts/app-grid.css';

/** Filters, searches, sorts and pages the models of the catalog, as the address says. */
export function CatalogPanel({ query: text }: { readonly query: string }) {
  const query = parseModelQuery(text);
  const queryText = modelQueryText(query);
  const { value: page, error, loading, again } = useModelPage(query);
  const rememberQuery = useDashboard((s) => s.rememberQuery);
  const refused = useDashboard(refusalOf('catalog'));
  useEffect(() => rememberQuery('models', queryText), [rememberQuery, queryText]);
  const runsHere = useDashboard((s) => s.catalogSource?.kind !== 'remote');
  const failure = error ?? refused;
  return (
    <div className="stack">
      <TypedSearch
        label="Search models"
        search={query.search}
        onSearch={(search) => replaceAddress(hrefOfModels(modelQueryNow(), { search }))}
      >
        <Segments
          legend="Sort by"
          choices={sortsOf(runsHere)}
          chosen={query.sort}
          onChoose={(sort) => navigate(hrefOfModels(query, { sort }))}
        />
      </TypedSearch>
      {query.sort === 'best' && runsHere && <p className="muted small">{bestHelp}</p>}
      <CatalogAge page={page} onAgain={again} />
      {failure && <FailedNote error={failure} title="The models could not be loaded" onRetry={again} />}
      <div className="catalog">
        <FilterPanel query={query} facets={page?.facets} />
        <div className="stack catalog-found">
          <ChosenFilters query={query} page={page} />
          {page ? <ModelResults page={page} query={query} busy={loading} /> : !error && <Skeleton rows={6} cards />}
        </div>
      </div>
    </div>
  );
}

interface ModelResultsProps {
  readonly page: ModelPage;
  readonly query: ModelQuery;
  readonly busy: boolean;
}

function ModelResults({ page, query, busy }: ModelResultsProps) {
  if (page.matches === 0) {
    return page.source.total === 0 ? <EmptyCatalog /> : <NoMatch query={query} hidden={page.hidden ?? 0} />;
  }
  const hrefOfPage = (next: number) => hrefOfModels(query, { page: next });
  if (page.page > page.pages) return <NoSuchPage page={page.page} pages={page.pages} hrefOfPage={hrefOfPage} />;
  return (
    <>
      <ul
        className="app-grid"
        aria-label="Models of the catalog"
        aria-busy={busy}
        data-results-of={busy ? undefined : query.search}
      >
        {page.models.map((model) => (
          <ModelCard key={model.repoId} model={model} />
        ))}
      </ul>
      <Paging page={page.page} pages={page.pages} noun="model" hrefOfPage={hrefOfPage} />
    </>
  );
}

interface NoMatchProps {
  readonly query: ModelQuery;
  /** The number of models that match and do not fit. */
  readonly hidden: number;
}

function NoMatch({ query, hidden }: NoMatchProps) {
  const search = query.search.trim();
  const isNarrowed = search !== '' || query.fitsCard || filtersOf(query).length > 0;
  return (
    <EmptyState
      title={search ? `No model matches "${search}"` : 'No model matches'}
      action={
        <div className="row">
          {hidden > 0 && (
            <LinkButton size="sm" href={hrefOfModels(query, { fits: false })} onClick={focusListCount}>
              Look among those that do not fit
            </LinkButton>
          )}
          {isNarrowed && (
            <LinkButton size="sm" href={hrefOfModels(withoutFilters(query))} onClick={focusListCount}>
              {clearQueryText}
            </LinkButton>
          )}
        </div>
      }
    >
      {noMatchText(hidden > 0)}
    </EmptyState>
  );
}

function EmptyCatalog() {
  const problem = useDashboard((s) => s.catalogSource?.problem);
  return (
    <EmptyState
      title="The catalog has no models"
      action={
        <LinkButton size="sm" href={hrefOf('settings')}>
          Choose another catalog
        </LinkButton>
      }
    >
      {problem ?? emptyCatalogText}
    </EmptyState>
  );
}

interface CatalogAgeProps {
  readonly page: ModelPage | null;
  readonly onAgain: () => void;
}

/** Shows the catalog's source and age, why it could not be updated, and Refresh. */
function CatalogAge({ page, onAgain }: CatalogAgeProps) {
  const source = useDashboard((s) => s.catalogSource);
  const isNew = page !== null && isNewerThan(source, page);
  const send = useDashboard((s) => s.send);
  const { pending, blocked } = useCommand('catalog');
  const refreshing = useDashboard(isPending('catalog', 'refresh'));
  if (!source) return null;
  async function refresh(): Promise<void> {
    await send('catalog', (call) => call('refreshCatalog'), 'refresh');
    onAgain();
  }
  return (
    <>
      <div className="row catalog-age">
        <span className="muted small" role="status">
          {refreshing ? 'Loading the catalog…' : <CameFrom source={source} />}
        </span>
        {isNew && !pending ? (
          // The list never changes under the pointer: the user asks for the new one.
          <SmallButton onClick={onAgain}>Show the newest</SmallButton>
        ) : (
          source.kind === 'remote' && (
            <SmallButton disabled={blocked} onClick={() => void refresh()}>
              Refresh
            </SmallButton>
          )
        )}
        <a className="small" href={hrefOf('settings')}>
          Change in Settings
        </a>
      </div>
      {source.problem !== null && !pending && (
        <Note tone="offline" title="The catalog could not be updated.">
          <p>{source.problem}</p>
          {source.total > 0 && <p>{lastCopyText}</p>}
        </Note>
      )}
    </>
  );
}

function CameFrom({ source: { kind, url, fetchedAt } }: { readonly source: CatalogSourceStatus }) {
  if (kind === 'embedded') return 'This is the built-in catalog.';
  return (
    <>
      From <span className="mono">{url}</span>, {fetchedAt === null ? 'not loaded yet' : 'loaded '}
      {fetchedAt !== null && <TimeAgo at={fetchedAt} />}
    </>
  );
}

/** The card of a model, labelled with its repository id, since names are not unique. */
function ModelCard({ model }: { readonly model: ModelSummary }) {
  const { repoId, modelName, authorName, task, license, parameterCount, smallestBytes, fit, recipes } = model;
  const sizes = [
    parameterCount !== null && `${parameters(parameterCount)} parameters`,
    smallestBytes !== null && `${recipes.length > 1 ? 'from ' : ''}${byteText(smallestBytes)}`,
  ].filter(Boolean);
  return (
    <li>
      <article className="stack card model-card" aria-label={repoId}>
        <header className="app-card-head">
          <PublisherTile publisher={authorName} />
          <div className="app-card-names">
            <h2>
              <ForeignLink href={hrefOf('models', { modelId: repoId })}>{modelName}</ForeignLink>
            </h2>
            <p className="muted small" title={repoId}>
              <Foreign>{authorName}</Foreign>
            </p>
          </div>
        </header>
        {/* Beside the name, the state would leave it a part of a narrow card. */}
        <p className="row bar">
          {taskText(task)}
          <StateWord {...fitText(fit)} lasting />
        </p>
        <FitSentence fit={fit}>{fit.sentence}</FitSentence>
        <SpeedLine speed={fit.speed} />
        <p className="muted small model-card-meta">
          <span>{sizes.join(' · ') || 'size unknown'}</span>
          <span>
            <Foreign>{license}</Foreign> · {counted(recipes.length, 'recipe')}
          </span>
        </p>
        <CompareToggle repoId={repoId} publicId={null} name={modelName} />
      </article>
    </li>
  );
}
