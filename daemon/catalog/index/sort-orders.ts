import { inSteps, sortedInSteps } from './batches.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import { lowerCase } from './search-texts.ts';

export type CatalogOrder = 'newest' | 'name' | 'smallest';

/** What the smallest recipe's weights take, in bytes; null: not known. */
export function smallestBytes({ item, facts }: CatalogEntry): number | null {
  const known = item.recipes.flatMap(({ publicId }) => facts.weightBytes[publicId] ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

/** What each order goes by, the least first. */
const keys: Readonly<Record<CatalogOrder, (entry: CatalogEntry) => number | string>> = {
  newest: ({ item }) => -Date.parse(item.createdAt),
  name: ({ item }) => lowerCase(item.modelName),
  smallest: (entry) => smallestBytes(entry) ?? Infinity,
};

/** The positions of entries in an order; equal ones by `repoId`, so that it is always the same. */
export async function inOrder(entries: readonly CatalogEntry[], order: CatalogOrder): Promise<Uint32Array> {
  const known: (number | string)[] = [];
  await inSteps(entries, (entry) => void known.push(keys[order](entry)));
  const idOf = (position: number) => entries[position]?.item.repoId ?? '';
  return sortedInSteps(entries.length, (a, b) => compared(known[a] ?? 0, known[b] ?? 0) || compared(idOf(a), idOf(b)));
}

function compared<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
