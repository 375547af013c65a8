import { expect, test } from 'vitest';
import { Accelerator, type CatalogItem, EngineType } from '../contract/catalog/catalog.ts';
import type { FacetCount, ModelFacets } from '../contract/catalog/models.ts';
import { randomNumbers } from '../robot/simulation/random-numbers.ts';
import { createLogger } from '../shared/logger.ts';
import { generatedCatalog } from '../testing/models/generated-catalog.ts';
import { buildCatalog, type PageQuery } from './catalog.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import { type CatalogFilter, smallestBytes } from './catalog-search.ts';

const log = createLogger('error', () => {});
const isSmall = ({ facts }: CatalogEntry) => (facts.parameterCount ?? 0) < 4e9;
const catalog = await buildCatalog(generatedCatalog(3_000), log);
const isOnGpu = ({ item }: CatalogEntry) => item.recipes.some(({ accelerator }) => accelerator === 'gpu');
const runnable = new Set(catalog.entries.filter(isSmall));
/** Of those below 4e9 parameters; the others have none. */
const rankOf = ({ facts }: CatalogEntry) => ((facts.parameterCount ?? 0) < 2e9 ? 0 : 1);
const fitting = {
  ...{ runnable, onCard: new Set(catalog.entries.filter((entry) => isSmall(entry) && isOnGpu(entry))) },
  ranks: new Map(catalog.entries.filter(isSmall).map((entry) => [entry, rankOf(entry)])),
};
const list = ({ fits, fitsCard, ...filter }: CatalogFilter) =>
  catalog
    .list(filter)
    .filter((entry) => (!fits || fitting.runnable.has(entry)) && (!fitsCard || fitting.onCard.has(entry)));
const everything: PageQuery = { sort: 'newest', page: 1, limit: catalog.size };

/** Each license in its first spelling. */
const spellings = new Map(catalog.entries.toReversed().map(({ item }) => [item.license.toLowerCase(), item.license]));

/** Each facet's values, counted one by one: the matches if the filter had that value. */
function counted(filter: CatalogFilter): ModelFacets {
  const listed = (key: keyof CatalogFilter, value?: string) => list({ ...filter, [key]: value });
  const values = (key: 'task' | 'license' | 'author', nameOf: (item: CatalogItem) => string) =>
    mostFrequent(Map.groupBy(listed(key), ({ item }) => nameOf(item)));
  const options = (key: 'accelerator' | 'engine', all: readonly string[]) =>
    mostFrequent(new Map(all.map((value) => [value, listed(key, value)] as const)));
  return {
    task: values('task', ({ task }) => task),
    license: values('license', ({ license }) => spellings.get(license.toLowerCase()) ?? ''),
    author: values('author', ({ authorName }) => authorName),
    accelerator: options('accelerator', Accelerator.options),
    engine: options('engine', EngineType.options),
  };
}

function mostFrequent(found: ReadonlyMap<string, readonly CatalogEntry[]>): FacetCount[] {
  return [...found]
    .map(([value, { length }]) => ({ value, count: length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, 50);
}

test('each facet value has the number of matches if it replaced the chosen one', async () => {
  const random = randomNumbers(7);
  const sometimes = <T>(values: readonly T[]) =>
    random() < 0.5 ? values[Math.floor(random() * values.length)] : undefined;
  for (let turn = 0; turn < 25; turn++) {
    const filter: CatalogFilter = {
      search: sometimes(['labs-1', 'gguf', 'b chat', 'nothing-has-this']),
      task: sometimes(['text-generation', 'translation', 'none']),
      license: sometimes(['Apache-2.0', 'mit', 'none']),
      author: sometimes(['dune-labs-0', 'none']),
      accelerator: sometimes(Accelerator.options),
      engine: sometimes(EngineType.options),
      fits: sometimes([true]),
      fitsCard: sometimes([true, false]),
    };
    const { facets, matches, hidden, entries } = catalog.page({ ...everything, ...filter }, fitting);
    expect(facets, JSON.stringify(filter)).toEqual(counted(filter));
    expect(entries).toEqual(list(filter));
    expect(matches).toBe(entries.length);
    const others = list({ ...filter, fits: undefined }).length - matches;
    expect(hidden).toBe(filter.fits ? others : undefined);
  }
});

test('a facet has at most its 50 most frequent values', async () => {
  const { facets } = catalog.page({ ...everything, limit: 1 }, fitting);
  expect(new Set(catalog.entries.map(({ item }) => item.authorName)).size).toBeGreaterThan(50);
  expect(facets.author).toHaveLength(50);
});

test.each(['newest', 'name', 'smallest'] as const)(
  'the pages sorted by %s contain every match once, in that sort order',
  async (sort) => {
    const filter = { accelerator: 'cpu', search: 'labs' } as const;
    const first = catalog.page({ ...filter, sort, page: 1, limit: 100 }, fitting);
    expect(first.pages).toBe(Math.ceil(first.matches / 100));
    const all: CatalogEntry[] = [];
    for (let page = 1; page <= first.pages; page++) {
      all.push(...catalog.page({ ...filter, sort, page, limit: 100 }, fitting).entries);
    }
    const keys = {
      newest: ({ item }: CatalogEntry) => -Date.parse(item.createdAt),
      name: ({ item }: CatalogEntry) => item.modelName.toLowerCase(),
      smallest: (entry: CatalogEntry) => smallestBytes(entry) ?? Number.POSITIVE_INFINITY,
    };
    const inOrder = list(filter).sort((a, b) => {
      const [left, right] = [keys[sort](a), keys[sort](b)];
      if (left !== right) return left < right ? -1 : 1;
      return a.item.repoId < b.item.repoId ? -1 : 1;
    });
    expect(all).toEqual(inOrder);
  },
);

test('sorted by best, a better rank comes first, what has none last, and among equals the largest', () => {
  const { entries } = catalog.page({ ...everything, sort: 'best' }, fitting);
  expect(new Set(entries)).toEqual(new Set(catalog.entries));
  const keys = entries.map((entry) => [fitting.ranks.get(entry) ?? 2, -(entry.facts.parameterCount ?? 0)] as const);
  expect(new Set(keys.map(([rank]) => rank))).toEqual(new Set([0, 1, 2]));
  expect(keys).toEqual(keys.toSorted(([a, sizeA], [b, sizeB]) => a - b || sizeA - sizeB));
});

test('a page after the last is empty and still has the number of matches', async () => {
  const { entries, matches, pages, page } = catalog.page({ sort: 'name', page: 40, limit: 100 }, fitting);
  expect({ entries, matches, pages, page }).toEqual({ entries: [], matches: 3_000, pages: 30, page: 40 });
  expect(catalog.page({ ...everything, search: 'nothing-has-this' }, fitting)).toMatchObject({ entries: [], pages: 0 });
});

test('a model of unknown size comes last in the sort order smallest', async () => {
  const [known, unknown] = generatedCatalog(2);
  if (!known || !unknown) throw new Error('There are two.');
  const small = await buildCatalog([{ ...unknown, facts: { weightBytes: {} } }, known], log);
  expect(small.page({ sort: 'smallest', page: 1, limit: 2 }, fitting).entries.map(smallestBytes)).toEqual([
    Math.min(...Object.values(known.facts.weightBytes)),
    null,
  ]);
});
