import { CloseButton, TextInput } from '@mantine/core';
import type { StoreSort } from '../../../daemon/contract/store.ts';
import { SearchIcon } from '../../parts/icons.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';

const sorts = [
  { sort: 'popular', word: 'Popular' },
  { sort: 'recent', word: 'Recent' },
  { sort: 'updated', word: 'Updated' },
] as const satisfies readonly { sort: StoreSort; word: string }[];

/** What is searched for, and what comes first. */
export function StoreSearch() {
  const { search, sort: chosen } = useDashboard((s) => s.storeQuery);
  const searchStore = useDashboard((s) => s.searchStore);
  const browseStore = useDashboard((s) => s.browseStore);
  return (
    <search className="store-search">
      <TextInput
        className="store-search-field"
        aria-label="Search apps"
        placeholder="Search apps"
        value={search}
        onChange={({ currentTarget }) => searchStore(currentTarget.value)}
        leftSection={<SearchIcon size={16} />}
        rightSection={
          search && (
            <CloseButton size="sm" aria-label="Clear the search" onClick={() => void browseStore({ search: '' })} />
          )
        }
        autoComplete="off"
        spellCheck={false}
      />
      <fieldset className="store-sort">
        <legend className="visually-hidden">Sort by</legend>
        {sorts.map(({ sort, word }) => (
          <label key={sort} className="store-sort-choice">
            <input
              type="radio"
              name="store-sort"
              className="visually-hidden"
              checked={sort === chosen}
              onChange={() => void browseStore({ sort })}
            />
            {word}
          </label>
        ))}
      </fieldset>
    </search>
  );
}
