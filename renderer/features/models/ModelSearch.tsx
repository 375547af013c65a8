import { navigate, switchTab } from '../../navigation/route.ts';
import { Segments } from '../../parts/forms/Segments.tsx';
import { TypedSearch } from '../../parts/forms/TypedSearch.tsx';
import { hrefOfModels, type ModelQuery, modelQueryNow } from '../../slices/models/models-query.ts';
import { sorts } from './model-text.ts';

/** The search field and the sort order. */
export function ModelSearch({ query }: { readonly query: ModelQuery }) {
  return (
    <TypedSearch
      label="Search models"
      search={query.search}
      onSearch={(search) => switchTab(hrefOfModels(modelQueryNow(), { search }))}
    >
      <Segments
        legend="Sort by"
        name="models-sort"
        choices={sorts}
        chosen={query.sort}
        onChoose={(sort) => navigate(hrefOfModels(query, { sort }))}
      />
    </TypedSearch>
  );
}
