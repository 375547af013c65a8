import { Accelerator, CatalogItem, EngineType, Recipe } from '../contract/catalog/catalog.ts';
import type { FacetCount, ModelFacets, ModelFilter, ModelSort } from '../contract/catalog/models.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import { inBatches } from './in-batches.ts';

/** An absent or empty condition always holds. */
export type CatalogFilter = { readonly [Key in keyof ModelFilter]?: ModelFilter[Key] | undefined };

/** The entries known to fit. */
export type Fitting = ReadonlySet<CatalogEntry>;

type Kind = Pick<Recipe, 'accelerator' | 'engineType'>;

/** A value of many entries, which share this object: reading and counting it takes a fraction of the time. */
interface Shared<T> {
  readonly value: T;
  /** Equal for values that count as equal. */
  readonly key: string;
  readonly index: number;
}

/** An entry with what searches and lists read, prepared once. */
interface Searchable {
  readonly entry: CatalogEntry;
  /** In lower case. */
  readonly text: string;
  readonly task: Shared<string>;
  /** As the first entry spells it; the key is in lower case. */
  readonly license: Shared<string>;
  readonly author: Shared<string>;
  readonly kinds: Shared<readonly Kind[]>;
  /** The item, serialized, with a comma. */
  readonly json: Buffer;
}

/** The fields of the contract only, in its order: a source may have left others in an item. */
const fields = [...Object.keys(CatalogItem.shape), ...Object.keys(Recipe.shape)];

/** The distinct values, the first one of each key. */
class Values<T> {
  readonly all: Shared<T>[] = [];
  readonly #known = new Map<string, Shared<T>>();

  share(value: T, key: string): Shared<T> {
    const known = this.#known.get(key) ?? { value, key, index: this.all.length };
    if (known.index === this.all.length) this.all.push(known);
    this.#known.set(key, known);
    return known;
  }
}

/** All entries of a catalog, newest first, and the values that facets count. */
export interface Prepared {
  readonly all: readonly Searchable[];
  readonly values: { readonly [Key in 'task' | 'license' | 'author']: Values<string> } & {
    readonly kinds: Values<readonly Kind[]>;
  };
}

export async function prepare(entries: readonly CatalogEntry[]): Promise<Prepared> {
  const all: Searchable[] = [];
  const values = {
    ...{ task: new Values<string>(), license: new Values<string>(), author: new Values<string>() },
    kinds: new Values<readonly Kind[]>(),
  };
  await inBatches(sorted(entries, 'newest'), (entry) => {
    const { task, license, authorName, recipes } = entry.item;
    const kinds = recipes.map(({ accelerator, engineType }) => ({ accelerator, engineType }));
    all.push({
      entry,
      text: textOf(entry.item),
      task: values.task.share(task, task),
      license: values.license.share(license, lowerCase(license)),
      author: values.author.share(authorName, authorName),
      kinds: values.kinds.share(kinds, JSON.stringify(kinds)),
      json: Buffer.from(`${JSON.stringify(entry.item, fields)},`),
    });
  });
  return { all, values };
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

/** The test of each condition; null: the filter does not have it. */
const tests: { readonly [Key in keyof ModelFilter]: (filter: CatalogFilter, fitting: Fitting) => Test | null } = {
  search: ({ search = '' }) => {
    const words = lowerCase(search).split(/\s+/).filter(Boolean);
    return words.length === 0 ? null : ({ text }) => words.every((word) => text.includes(word));
  },
  fits: ({ fits }, fitting) => (fits ? ({ entry }) => fitting.has(entry) : null),
  task: ({ task }) => (task ? (each) => each.task.value === task : null),
  license: ({ license = '' }) => {
    const wanted = lowerCase(license);
    return wanted ? (each) => each.license.key === wanted : null;
  },
  author: ({ author }) => (author ? (each) => each.author.value === author : null),
  accelerator: (filter) => (filter.accelerator ? ({ kinds }) => hasKind(kinds, filter) : null),
  engine: (filter) => (filter.engine ? ({ kinds }) => hasKind(kinds, filter) : null),
};

/** Whether one recipe has both the accelerator and the engine. */
function hasKind({ value: kinds }: Shared<readonly Kind[]>, { accelerator, engine }: CatalogFilter): boolean {
  return kinds.some(
    (kind) => (!accelerator || kind.accelerator === accelerator) && (!engine || kind.engineType === engine),
  );
}

/** A test of all conditions. */
export function matcher(filter: CatalogFilter, fitting: Fitting): Test {
  const [first = () => true, ...others] = Object.values(tests).flatMap((testOf) => testOf(filter, fitting) ?? []);
  return others.length === 0 ? first : (each) => first(each) && others.every((test) => test(each));
}

/** The matches in the order of `all`, and for each facet value the number of matches if the filter had that value. */
export function search({ all, values }: Prepared, filter: CatalogFilter, fitting: Fitting) {
  const { task, license, author, accelerator, engine, ...others } = filter;
  const isFound = matcher(others, fitting);
  const counted = (facet: keyof typeof values, conditions: CatalogFilter) => ({
    facet,
    matches: matcher(conditions, fitting),
    isSet: Object.values(conditions).some(Boolean),
    counts: new Uint32Array(values[facet].all.length),
  });
  const byTask = counted('task', { task });
  const byLicense = counted('license', { license });
  const byAuthor = counted('author', { author });
  const byKinds = counted('kinds', { accelerator, engine });
  const facets = [byTask, byLicense, byAuthor, byKinds];
  const conditional = facets.filter(({ isSet }) => isSet);
  const matching: Searchable[] = [];
  for (const each of all) {
    if (!isFound(each)) continue;
    const missed = conditional.filter(({ matches }) => !matches(each));
    if (missed.length === 0) matching.push(each);
    // An entry that misses one condition still counts in that condition's facet.
    for (const { facet, counts } of missed.length === 0 ? facets : missed.length === 1 ? missed : []) {
      const at = each[facet].index;
      counts[at] = (counts[at] ?? 0) + 1;
    }
  }
  const valuesOf = (facet: 'task' | 'license' | 'author') => values[facet].all.map(({ value }) => value);
  const withKind = (kind: CatalogFilter) =>
    values.kinds.all.reduce((sum, kinds) => (hasKind(kinds, kind) ? sum + (byKinds.counts[kinds.index] ?? 0) : sum), 0);
  return {
    matching,
    facets: {
      task: mostFrequent(valuesOf('task'), byTask.counts),
      license: mostFrequent(valuesOf('license'), byLicense.counts),
      author: mostFrequent(valuesOf('author'), byAuthor.counts),
      accelerator: mostFrequent(
        Accelerator.options,
        Accelerator.options.map((each) => withKind({ accelerator: each, engine })),
      ),
      engine: mostFrequent(
        EngineType.options,
        EngineType.options.map((each) => withKind({ accelerator, engine: each })),
      ),
    } satisfies ModelFacets,
  };
}

/** More values would be of no use to a person. */
const MAX_VALUES = 50;

/** The values with the highest counts, then by name. @param counts by index of value */
function mostFrequent(values: readonly string[], counts: ArrayLike<number>): FacetCount[] {
  return values
    .map((value, index) => ({ value, count: counts[index] ?? 0 }))
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
