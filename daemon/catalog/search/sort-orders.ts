import { inBatches, sortInBatches } from './batches.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import { lowerCase } from './search-texts.ts';

export type SortOrder = 'newest' | 'name' | 'smallest';

/** The size of the smallest recipe's weights, in bytes; null: unknown. */
export function smallestBytes({ item, facts }: CatalogEntry): number | null {
  const known = item.recipes.flatMap(({ publicId }) => facts.weightBytes[publicId] ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

/** The sort key of each sort order, ascending. */
const keys: Readonly<Record<SortOrder, (entry: CatalogEntry) => number | string>> = {
  newest: ({ item }) => -Date.parse(item.createdAt),
  name: ({ item }) => lowerCase(item.modelName),
  smallest: (entry) => smallestBytes(entry) ?? Infinity,
};

/** The positions of entries in a sort order; entries with equal keys are sorted by `repoId`, so that the result is deterministic. */
export async function sortedPositions(entries: readonly CatalogEntry[], sortOrder: SortOrder): Promise<Uint32Array> {
  const sortKeys: (number | string)[] = [];
  await inBatches(entries, (entry) => void sortKeys.push(keys[sortOrder](entry)));
  const idOf = (position: number) => entries[position]?.item.repoId ?? '';
  return sortInBatches(
    entries.length,
    (a, b) => compare(sortKeys[a] ?? 0, sortKeys[b] ?? 0) || compare(idOf(a), idOf(b)),
  );
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
