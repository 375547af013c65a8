import type { StoreSort } from '../../../daemon/contract/apps/store.ts';
import { navigate, parseRoute, switchTab } from '../../navigation/route.ts';
import { Segments } from '../../parts/forms/Segments.tsx';
import { TypedSearch } from '../../parts/forms/TypedSearch.tsx';
import { hrefOfStore, parseStoreQuery, type StoreQuery } from '../../slices/apps/store-query.ts';

const sorts = [
  { value: 'popular', label: 'Popular' },
  { value: 'recent', label: 'Recent' },
  { value: 'updated', label: 'Updated' },
] as const satisfies readonly { value: StoreSort; label: string }[];

/** The search field and the sort order of Discover. */
export function StoreSearch({ query }: { readonly query: StoreQuery }) {
  return (
    <TypedSearch
      label="Search apps"
      search={query.search}
      // The address may be newer than the rendered one.
      onSearch={(search) => switchTab(hrefOfStore(parseStoreQuery(parseRoute(window.location.hash).query), { search }))}
    >
      <Segments
        legend="Sort by"
        name="store-sort"
        choices={sorts}
        chosen={query.sort}
        onChoose={(sort) => navigate(hrefOfStore(query, { sort }))}
      />
    </TypedSearch>
  );
}
