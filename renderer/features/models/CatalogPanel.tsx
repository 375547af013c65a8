import { Button } from '@mantine/core';
import { useEffect } from 'react';
import type { ModelPage } from '../../../daemon/contract/catalog/models.ts';
import { hrefOf } from '../../navigation/route.ts';
import { focusListCount } from '../../parts/lists/ListCount.tsx';
import { Paging } from '../../parts/lists/Paging.tsx';
import { NoSuchPage } from '../../parts/NoSuchPage.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { refusalOf } from '../../slices/base/commands.ts';
import {
  hrefOfModels,
  type ModelQuery,
  modelQueryText,
  parseModelQuery,
  withoutFilters,
} from '../../slices/models/models-query.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CatalogAge } from './CatalogAge.tsx';
import { ChosenFilters } from './ChosenFilters.tsx';
import { FilterPanel } from './FilterPanel.tsx';
import { ModelCard } from './ModelCard.tsx';
import { ModelSearch } from './ModelSearch.tsx';
import { useModelPage } from './model-queries.ts';
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
  const failure = error ?? refused;
  return (
    <div className="stack">
      <ModelSearch query={query} />
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
  if (page.matches === 0) return page.source.total === 0 ? <EmptyCatalog /> : <NoMatch query={query} />;
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

function NoMatch({ query }: { readonly query: ModelQuery }) {
  return (
    <EmptyState
      title={query.search.trim() ? `No model matches "${query.search.trim()}"` : 'No model matches'}
      action={
        <Button component="a" href={hrefOfModels(withoutFilters(query))} variant="default" onClick={focusListCount}>
          Show all models
        </Button>
      }
    >
      Each search word must appear in the name, author, task, licence or file name, and every filter must match.
    </EmptyState>
  );
}

function EmptyCatalog() {
  const problem = useDashboard((s) => s.catalogSource?.problem);
  return (
    <EmptyState
      title="The catalog has no models"
      action={
        <Button component="a" href={hrefOf('settings')} variant="default">
          Choose another catalog
        </Button>
      }
    >
      {problem ?? 'It was loaded and is empty.'}
    </EmptyState>
  );
}
