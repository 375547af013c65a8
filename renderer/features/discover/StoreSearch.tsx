import type { StoreSort } from '../../../daemon/contract/apps/store.ts';
import { SearchBar } from '../../parts/forms/SearchBar.tsx';
import { Segments } from '../../parts/forms/Segments.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';

const sorts = [
  { value: 'popular', label: 'Popular' },
  { value: 'recent', label: 'Recent' },
  { value: 'updated', label: 'Updated' },
] as const satisfies readonly { value: StoreSort; label: string }[];

export function StoreSearch() {
  const { search, sort } = useDashboard((s) => s.storeQuery);
  const searchStore = useDashboard((s) => s.searchStore);
  const browseStore = useDashboard((s) => s.browseStore);
  return (
    <SearchBar label="Search apps" text={search} onType={searchStore} onClear={() => void browseStore({ search: '' })}>
      <Segments
        legend="Sort by"
        name="store-sort"
        choices={sorts}
        chosen={sort}
        onChoose={(next) => void browseStore({ sort: next })}
      />
    </SearchBar>
  );
}
