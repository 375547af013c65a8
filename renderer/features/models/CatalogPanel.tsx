import { Button } from '@mantine/core';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { Paging } from '../../parts/Paging.tsx';
import { refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import {
  hrefOfModels,
  type ModelQuery,
  modelQueryText,
  parseModelQuery,
  withoutFilters,
} from '../../slices/models/models-query.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { CatalogAge } from './CatalogAge.tsx';
import { ChosenFilters } from './ChosenFilters.tsx';
import { FilterPanel } from './FilterPanel.tsx';
import { ModelCard } from './ModelCard.tsx';
import { ModelSearch } from './ModelSearch.tsx';
import './models.css';

/** Filters, searches, sorts and pages the models of the catalog. */
export function CatalogPanel({ query: text }: { readonly query: string }) {
  const loadModels = useDashboard((s) => s.loadModels);
  const failure = useDashboard((s) => (s.modelPage?.state === 'failed' ? s.modelPage.error : refusalOf('catalog')(s)));
  const query = parseModelQuery(text);
  const queryText = modelQueryText(query);
  useWhenConnected(loadModels, queryText);
  return (
    <div className="stack">
      <ModelSearch query={query} />
      <CatalogAge />
      {failure && (
        <FailedNote error={failure} title="The models could not be loaded" onRetry={() => void loadModels(queryText)} />
      )}
      <div className="catalog">
        <FilterPanel query={query} />
        <div className="stack catalog-found">
          <ChosenFilters query={query} />
          <ModelResults query={query} />
        </div>
      </div>
    </div>
  );
}

function ModelResults({ query }: { readonly query: ModelQuery }) {
  const page = useDashboard((s) => s.modelPage?.value ?? null);
  const state = useDashboard((s) => s.modelPage?.state);
  const connected = useDashboard(isConnected);
  if (!page) return state === 'failed' ? null : <Skeleton rows={6} cards />;
  if (page.matches === 0) return page.source.total === 0 ? <EmptyCatalog /> : <NoMatch query={query} />;
  return (
    <>
      <ul className="app-grid" aria-label="Models of the catalog" aria-busy={state === 'loading'}>
        {page.models.map((model) => (
          <ModelCard key={model.repoId} model={model} />
        ))}
      </ul>
      {page.pages > 1 && (
        <Paging
          page={page.page}
          pages={page.pages}
          matches={page.matches}
          noun="model"
          disabled={!connected || state === 'loading'}
          onTurn={(next) => navigate(hrefOfModels(query, { page: next }))}
        />
      )}
    </>
  );
}

function NoMatch({ query }: { readonly query: ModelQuery }) {
  return (
    <EmptyState
      title={query.search.trim() ? `No model matches "${query.search.trim()}"` : 'No model matches'}
      action={
        <Button component="a" href={hrefOfModels(withoutFilters(query))} variant="default">
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
