import { Accelerator, CatalogItem, EngineType, Recipe } from '../contract/catalog/catalog.ts';
import type { FacetCount, ModelFacets, ModelFilter, ModelSort } from '../contract/catalog/models.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import { inBatches } from './in-batches.ts';

/** An absent or empty condition always holds. */
export type CatalogFilter = { readonly [Key in keyof ModelFilter]?: ModelFilter[Key] | undefined };

/** The entries known to fit. */
export interface Fitting {
  /** With a recipe that would run, perhaps once a program is installed. */
  readonly runnable: ReadonlySet<CatalogEntry>;
  /** With a recipe that would run wholly on the graphics card of this machine. */
  readonly onCard: ReadonlySet<CatalogEntry>;
  /** How well each suits this machine, see `bestRank`. */
  readonly ranks: ReadonlyMap<CatalogEntry, number>;
}
export const noneFits: Fitting = { runnable: new Set(), onCard: new Set(), ranks: new Map() };

type Kind = Pick<Recipe, 'accelerator' | 'engineType'>;

/** An entry with what searches and lists read, prepared once. */
export interface Searchable {
  readonly entry: CatalogEntry;
  /** In lower case. */
  readonly text: string;
  /** As the first entry spells it. */
  readonly license: string;
  /** In lower case. */
  readonly licenseKey: string;
  /** The same list for all entries that have these: counting it takes a fraction of the time. */
  readonly kinds: readonly Kind[];
  /** The item, serialized, with a comma. */
  readonly json: Buffer;
}

/** The fields of the contract only, in its order: a source may have left others in an item. */
const fields = [...Object.keys(CatalogItem.shape), ...Object.keys(Recipe.shape)];

/** All entries of a catalog, newest first. */
export async function prepare(entries: readonly CatalogEntry[]): Promise<readonly Searchable[]> {
  const all: Searchable[] = [];
  const [licenses, kindLists] = [new Map<string, string>(), new Map<string, readonly Kind[]>()];
  await inBatches(sorted(entries, 'newest'), (entry) => {
    const { license, recipes } = entry.item;
    const kinds = recipes.map(({ accelerator, engineType }) => ({ accelerator, engineType }));
    const licenseKey = lowerCase(license);
    all.push({
      ...{ entry, text: textOf(entry.item), licenseKey, license: first(licenses, licenseKey, license) },
      kinds: first(kindLists, JSON.stringify(kinds), kinds),
      json: Buffer.from(`${JSON.stringify(entry.item, fields)},`),
    });
  });
  return all;
}

/** The first value that was given for a key. */
function first<T>(known: Map<string, T>, key: string, value: T): T {
  const found = known.get(key) ?? value;
  known.set(key, found);
  return found;
}

/** One part a line, so that no word matches across two; a part that an earlier one contains is omitted. */
function textOf({ repoId, task, license, modelName, authorName, recipes }: CatalogItem): string {
  const parts = [repoId, task, license, modelName, authorName, ...recipes.map(({ ggufFile }) => ggufFile ?? '')];
  return lowerCase(parts.reduce((text, part) => (text.includes(part) ? text : `${text}\n${part}`)));
}

export function lowerCase(text: string): string {
  return text.toLocaleLowerCase('en-US');
}

type Test = (each: Searchable) => boolean;

/** The facets that count each entry; `kinds` are those of its recipes, from which two facets are made. */
type Counted = 'task' | 'license' | 'author' | 'kinds';

const facetValue: {
  readonly [Name in Counted]: (each: Searchable) => Name extends 'kinds' ? readonly Kind[] : string;
} = {
  task: ({ entry }) => entry.item.task,
  license: ({ license }) => license,
  author: ({ entry }) => entry.item.authorName,
  kinds: ({ kinds }) => kinds,
};

/** The fields whose matches a condition does not limit: those of a facet, or those that `fits` hides. */
type Spared = Counted | 'hidden';

/** The conditions of a filter, each with what it does not limit; null: it limits every number. */
function conditionsOf(
  filter: CatalogFilter,
  fitting: Fitting,
): { readonly holds: Test; readonly spared: Spared | null }[] {
  const { search = '', fits, fitsCard, task, license, author, accelerator, engine } = filter;
  const words = lowerCase(search).split(/\s+/).filter(Boolean);
  const wanted = lowerCase(license ?? '');
  const holds = (isSet: unknown, spared: Spared | null, test: Test) => (isSet ? [{ holds: test, spared }] : []);
  return [
    ...holds(words.length > 0, null, ({ text }) => words.every((word) => text.includes(word))),
    ...holds(fits, 'hidden', ({ entry }) => fitting.runnable.has(entry)),
    ...holds(fitsCard, null, ({ entry }) => fitting.onCard.has(entry)),
    ...holds(task, 'task', ({ entry }) => entry.item.task === task),
    ...holds(wanted, 'license', ({ licenseKey }) => licenseKey === wanted),
    ...holds(author, 'author', ({ entry }) => entry.item.authorName === author),
    ...holds(accelerator || engine, 'kinds', ({ kinds }) => hasKind(kinds, filter)),
  ];
}

/** Whether one recipe has both the accelerator and the engine. */
function hasKind(kinds: readonly Kind[], { accelerator, engine }: CatalogFilter): boolean {
  return kinds.some(
    (kind) => (!accelerator || kind.accelerator === accelerator) && (!engine || kind.engineType === engine),
  );
}

/** A test of all conditions. */
export function matcher(filter: CatalogFilter, fitting: Fitting): Test {
  const conditions = conditionsOf(filter, fitting);
  return (each) => conditions.every(({ holds }) => holds(each));
}

/**
 * The matches in the order of `all`, for each facet value the number of matches if the filter had that value, and the number of
 * those that only `fits` leaves out.
 */
export function search(all: readonly Searchable[], filter: CatalogFilter, fitting: Fitting) {
  const conditions = conditionsOf(filter, fitting);
  const counts = {
    ...{ task: new Map<string, number>(), license: new Map<string, number>(), author: new Map<string, number>() },
    kinds: new Map<readonly Kind[], number>(),
  };
  const count = (each: Searchable, facet: Counted) => {
    const found: Map<unknown, number> = counts[facet];
    const value = facetValue[facet](each);
    found.set(value, (found.get(value) ?? 0) + 1);
  };
  const matching: Searchable[] = [];
  let hidden = 0;
  for (const each of all) {
    const [missed, ...others] = conditions.filter(({ holds }) => !holds(each));
    if (!missed) {
      matching.push(each);
      for (const facet of Object.keys(counts) as Counted[]) count(each, facet);
    } else if (others.length > 0 || missed.spared === null) continue;
    else if (missed.spared === 'hidden') hidden += 1;
    else count(each, missed.spared); // it still counts there
  }
  const { accelerator, engine } = filter;
  const withKinds = <T extends string>(values: readonly T[], kindOf: (value: T) => CatalogFilter) =>
    new Map(
      values.map((value) => {
        const found = [...counts.kinds].filter(([kinds]) => hasKind(kinds, kindOf(value)));
        return [value, found.reduce((sum, [, number]) => sum + number, 0)] as const;
      }),
    );
  return {
    matching,
    hidden,
    facets: {
      task: mostFrequent(counts.task),
      license: mostFrequent(counts.license),
      author: mostFrequent(counts.author),
      accelerator: mostFrequent(withKinds(Accelerator.options, (each) => ({ accelerator: each, engine }))),
      engine: mostFrequent(withKinds(EngineType.options, (each) => ({ accelerator, engine: each }))),
    } satisfies ModelFacets,
  };
}

/** More values would be of no use to a person. */
const MAX_VALUES = 50;

/** The values with the highest counts, then by name. */
function mostFrequent(counts: ReadonlyMap<string, number>): FacetCount[] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || compare(a.value, b.value))
    .slice(0, MAX_VALUES);
}

/** The size of the smallest recipe's weights, in bytes; null: unknown. */
export function smallestBytes({ item, facts }: CatalogEntry): number | null {
  const known = item.recipes.flatMap(({ publicId }) => facts.weightBytes[publicId] ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

/** The sort key of each sort order, ascending. */
const sortKeys: Readonly<Record<ModelSort, (entry: CatalogEntry) => number | string>> = {
  // Among those of a rank: what has the most weights answers best.
  best: ({ facts }) => -(facts.parameterCount ?? 0),
  newest: ({ item }) => -Date.parse(item.createdAt),
  name: ({ item }) => lowerCase(item.modelName),
  smallest: (entry) => smallestBytes(entry) ?? Infinity,
};

/** Entries with equal keys are sorted by `repoId`, so that the result is deterministic. */
export function sorted(entries: readonly CatalogEntry[], order: ModelSort): CatalogEntry[] {
  return entries
    .map((entry) => ({ entry, key: sortKeys[order](entry) }))
    .sort((a, b) => compare(a.key, b.key) || compare(a.entry.item.repoId, b.entry.item.repoId))
    .map(({ entry }) => entry);
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
