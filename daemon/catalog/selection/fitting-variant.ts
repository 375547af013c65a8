import type { CatalogEntry } from '../catalog-entry.ts';

/** A size in the name of a model: `Qwen3-8B`, `SmolVLM-500M-Instruct`. */
const SIZE = /(?<=^|[-_])\d+(?:\.\d+)?[bm](?=$|[-_])/gi;

/** The name of a model without its size and the format of its files, which its variants have in common. */
const familyOf = ({ item: { modelName, task } }: CatalogEntry): string =>
  `${modelName.replace(/-gguf$/i, '').replace(SIZE, '#')} ${task}`.toLowerCase();

/** Unknown sizes are not compared. */
const sizeOf = ({ facts }: CatalogEntry): number => facts.parameterCount ?? Number.POSITIVE_INFINITY;

/**
 * Finds the largest variant of a model that fits: a smaller one of its author, or the same in another format. Only names and
 * sizes tell that it is one.
 * @returns null: none is known
 */
export function fittingVariant(
  entry: CatalogEntry,
  entries: readonly CatalogEntry[],
  fits: (variant: CatalogEntry) => boolean,
): CatalogEntry | null {
  const { parameterCount } = entry.facts;
  if (parameterCount === undefined) return null;
  const family = familyOf(entry);
  const isVariant = (each: CatalogEntry) =>
    each !== entry &&
    each.item.authorName === entry.item.authorName &&
    sizeOf(each) <= parameterCount &&
    familyOf(each) === family;
  const variants = entries.filter(isVariant).toSorted((a, b) => sizeOf(b) - sizeOf(a));
  return variants.find(fits) ?? null;
}
