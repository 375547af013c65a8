import { expect, test } from 'vitest';
import { Accelerator, type CatalogItem, CatalogList, EngineType, type Recipe } from '../contract/catalog/catalog.ts';
import { randomNumbers } from '../robot/simulation/random-numbers.ts';
import { createLogger } from '../shared/logger.ts';
import { generatedCatalog } from '../testing/models/generated-catalog.ts';
import { someModel } from '../testing/models/some-models.ts';
import { buildCatalog, type Catalog, type ListQuery } from './catalog.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import { type CatalogFilter, noneFits } from './catalog-search.ts';

const quiet = createLogger('error', () => {});
const generated = generatedCatalog(600);
const catalog = await buildCatalog(generated, quiet);

const entry = (repoId: string, more: Partial<CatalogItem> = {}) => someModel({ repoId, ...more });

function recipe(engineType: EngineType, accelerator: Accelerator, more: Partial<Recipe> = {}): Recipe {
  return { accelerator, engineType, publicId: `${engineType}-${accelerator}`, ...more };
}

const catalogOf = (...entries: CatalogEntry[]) => buildCatalog(entries, quiet);
const ids = (entries: readonly CatalogEntry[]) => entries.map(({ item }) => item.repoId);
const found = async (filter: CatalogFilter, ...entries: CatalogEntry[]) =>
  ids((await catalogOf(...entries)).list(filter));

/** The filter of the index, applied to the items themselves. */
function matches({ item }: CatalogEntry, filter: CatalogFilter): boolean {
  const { search = '', task, license, author, accelerator, engine } = filter;
  const { repoId, modelName, authorName, recipes } = item;
  const texts = [repoId, modelName, authorName, item.task, item.license, ...recipes.map((each) => each.ggufFile ?? '')];
  return (
    (!task || item.task === task) &&
    (!license || item.license.toLowerCase() === license.toLowerCase()) &&
    (!author || authorName === author) &&
    ((!accelerator && !engine) ||
      recipes.some(
        (each) => (!accelerator || each.accelerator === accelerator) && (!engine || each.engineType === engine),
      )) &&
    search
      .toLowerCase()
      .trim()
      .split(/\s+/)
      .every((word) => texts.some((text) => text.toLowerCase().includes(word)))
  );
}

/** A filter that is likely to find something, and sometimes finds nothing. */
function randomFilter(random: () => number): CatalogFilter {
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const sometimes = <T>(value: () => T): T | undefined => (random() < 0.4 ? value() : undefined);
  const { item } = oneOf(generated);
  const piece = (text: string) => {
    const start = Math.floor(random() * text.length);
    return text.slice(start, start + 1 + Math.floor(random() * 8));
  };
  const words = () => [item.repoId, item.recipes[0]?.ggufFile ?? item.task, oneOf(generated).item.license].map(piece);
  return {
    search: sometimes(() => ` ${oneOf([words(), words().slice(1), ['.*', 'qzx']]).join('  ')} `),
    task: sometimes(() => oneOf([item.task, ''])),
    license: sometimes(() => oneOf([item.license.toUpperCase(), 'none-of-them'])),
    author: sometimes(() => item.authorName),
    accelerator: sometimes(() => oneOf(Accelerator.options)),
    engine: sometimes(() => oneOf(EngineType.options)),
  };
}

test('random queries find the same items as a plain filter, in catalog order', async () => {
  const random = randomNumbers(20261122);
  let foundSome = 0;
  for (let turn = 0; turn < 1_000; turn++) {
    const filter = randomFilter(random);
    const limit = random() < 0.5 ? 1 + Math.floor(random() * 40) : undefined;
    const expected = catalog.entries.filter((each) => matches(each, filter)).slice(0, limit);
    expect(ids(catalog.list({ ...filter, limit })), JSON.stringify(filter)).toEqual(ids(expected));
    if (expected.length > 0) foundSome += 1;
  }
  expect(foundSome).toBeGreaterThan(300);
});

test('items are sorted newest first, then by the bytes of repoId, in any input order', async () => {
  const entries = [
    entry('b/same'),
    entry('B/same'),
    entry('a/oldest', { createdAt: '2022-03-02T00:00:00.000Z' }),
    entry('a/later-by-a-moment', { createdAt: '2026-01-01T00:00:00.5Z' }),
    entry('a/newest', { createdAt: '2026-11-01T12:00:00Z' }),
  ];
  const inOrder = ['a/newest', 'a/later-by-a-moment', 'B/same', 'b/same', 'a/oldest'];
  expect(await found({}, ...entries)).toEqual(inOrder);
  expect(await found({}, ...entries.toReversed())).toEqual(inOrder);
  expect(ids(catalog.entries)).toEqual(
    ids(
      generated.toSorted((a, b) =>
        a.item.createdAt === b.item.createdAt
          ? Buffer.compare(Buffer.from(a.item.repoId), Buffer.from(b.item.repoId))
          : Date.parse(b.item.createdAt) - Date.parse(a.item.createdAt),
      ),
    ),
  );
});

test('one recipe must match both accelerator and engine; the item keeps all its recipes', async () => {
  const both = entry('a/both', { recipes: [recipe('tei', 'cpu'), recipe('vllm', 'gpu')] });
  expect(await found({ accelerator: 'gpu', engine: 'tei' }, both)).toEqual([]);
  expect((await catalogOf(both)).list({ accelerator: 'cpu', engine: 'tei' })).toEqual([both]);
});

test('an engine matches exactly, not its variants', async () => {
  const relatives = entry('a/relatives', { recipes: [recipe('vllmNeuron', 'neuron'), recipe('vllmOmni', 'gpu')] });
  expect(await found({ engine: 'vllm' }, relatives)).toEqual([]);
  expect(await found({ engine: 'vllmOmni' }, relatives)).toEqual(['a/relatives']);
});

test('a model without recipes is listed only without an accelerator and an engine', async () => {
  expect(await found({}, entry('a/none'))).toEqual(['a/none']);
  expect(await found({ accelerator: 'cpu' }, entry('a/none'))).toEqual([]);
});

test('the limit applies after filter and sort order; a greater limit returns everything', async () => {
  const all = ids(catalog.list({ accelerator: 'cpu' }));
  expect(ids(catalog.list({ accelerator: 'cpu', limit: 3 }))).toEqual(all.slice(0, 3));
  expect(ids(catalog.list({ accelerator: 'cpu', limit: Number.MAX_SAFE_INTEGER }))).toEqual(all);
});

test('a license is compared completely and ignoring case; an empty license or search matches everything', async () => {
  const models = [entry('a/mit', { license: 'MIT' }), entry('a/mit-0', { license: 'mit-0' })];
  expect(await found({ license: 'mIt' }, ...models)).toEqual(['a/mit']);
  expect(await found({ license: 'mi' }, ...models)).toEqual([]);
  expect(await found({ license: '', search: ' \t' }, ...models)).toEqual(['a/mit', 'a/mit-0']);
});

test.each([
  ['llama', true],
  ['LLAMA 8b', true],
  ['  meta \n llama  ', true],
  ['ma-3.1', true],
  ['q4_k', true],
  ['text-gen', true],
  ['LLaMa3.1', true],
  ['a', true],
  ['llama missing', false],
  ['b.', false],
  ['.*', false],
  ['%5f', false],
  ['instructmeta', false],
])('a search for %j finds the model: %s', async (search, finds) => {
  const model = entry('meta/Llama-3.1-8B-Instruct', {
    license: 'llama3.1',
    recipes: [recipe('llamacpp', 'cpu', { ggufFile: 'files/Instruct-Q4_K_M.gguf' })],
  });
  expect(await found({ search }, model)).toEqual(finds ? ['meta/Llama-3.1-8B-Instruct'] : []);
});

test.each([
  ['a complete name', (id: string) => id],
  ['three characters', (id: string) => id.slice(-3)],
  ['two characters', (id: string) => id.slice(-2)],
  ['one character', (id: string) => id.slice(-1)],
  ['a short word and a long one', (id: string) => `b ${id}`],
])('a text that contains %s matches', (_, searchFor) => {
  for (const each of generated) expect(catalog.list({ search: searchFor(each.item.repoId) })).toContain(each);
});

test('characters beyond ASCII are found', async () => {
  const named = await catalogOf(entry('a/b', { modelName: 'Größe-模型一号-😀😀' }));
  for (const search of ['GRÖSSE', 'größe', '模型一号', '号', '😀😀']) {
    expect(named.list({ search }), search).toHaveLength(search === 'GRÖSSE' ? 0 : 1);
  }
});

test('of two models or recipes of one name, the later is omitted and logged', async () => {
  const logged: string[] = [];
  const entries = [
    entry('a/first', { recipes: [recipe('tei', 'cpu')] }),
    entry('a/first', { license: 'other' }),
    entry('a/second', { recipes: [recipe('tei', 'cpu')] }),
    entry('a/itself', { recipes: [recipe('vllm', 'gpu'), recipe('vllm', 'gpu')] }),
  ];
  const built = await buildCatalog(
    entries,
    createLogger('warn', (line) => logged.push(line)),
  );
  expect(built.entries).toEqual([entries[0]]);
  expect(logged).toEqual([
    expect.stringContaining('model "a/first" is omitted: an earlier model has the same name'),
    expect.stringContaining('model "a/second" is omitted: another recipe is named "tei-cpu"'),
    expect.stringContaining('model "a/itself" is omitted: another recipe is named "vllm-gpu"'),
  ]);
});

test('a model is found by its exact name, or ignoring case if only one matches', async () => {
  const [upper, lower, other] = [entry('Owner/Model'), entry('owner/model'), entry('Owner/Other')];
  const small = await catalogOf(upper, lower, other);
  const find = (author: string, model: string) => small.find(author, model)?.item.repoId ?? null;
  expect(find('Owner', 'Model')).toBe('Owner/Model');
  expect(find('owner', 'model')).toBe('owner/model');
  expect(find('OWNER', 'MODEL')).toBeNull();
  expect(find('owner', 'OTHER')).toBe('Owner/Other');
  expect(find('Owner', '__proto__')).toBeNull();
});

test('a recipe is found by its public id, with its model', () => {
  for (const each of generated) {
    for (const one of each.item.recipes) {
      expect(catalog.findRecipe(one.publicId)).toEqual({ entry: each, recipe: one });
    }
  }
  expect(catalog.findRecipe('__proto__')).toBeNull();
});

test('the filters for what fits find only models known to fit', () => {
  const isSmall = ({ facts }: CatalogEntry) => (facts.parameterCount ?? 0) < 4e9;
  const query = { sort: 'newest', page: 1, limit: generated.length } as const;
  const fitting = {
    runnable: new Set(generated.filter(isSmall)),
    onCard: new Set(generated.slice(0, 20)),
    ranks: new Map<CatalogEntry, number>(),
  };
  expect(ids(catalog.page({ ...query, fits: true, license: 'mit' }, fitting).entries)).toEqual(
    ids(catalog.entries.filter((each) => isSmall(each) && matches(each, { license: 'mit' }))),
  );
  expect(catalog.page({ ...query, fits: false }, fitting).matches).toBe(generated.length);
  expect(catalog.page({ ...query, fits: true }, noneFits).entries).toEqual([]);
  expect(new Set(catalog.page({ ...query, fitsCard: true }, fitting).entries)).toEqual(fitting.onCard);
  expect(catalog.page({ ...query, fits: true, fitsCard: true }, fitting).matches).toBe(
    generated.slice(0, 20).filter(isSmall).length,
  );
});

test('a list has another version for another query and for other items', async () => {
  const [a, b] = [entry('a/a'), entry('b/b')];
  const version = async (query: Parameters<Catalog['listVersion']>[0], ...entries: CatalogEntry[]) =>
    (await catalogOf(...entries)).listVersion(query);
  const versions = await Promise.all([
    version({}, a, b),
    version({}, a),
    version({}),
    version({}, entry('a/a', { license: 'other' }), b),
    version({ limit: 1 }, a, b),
    version({ search: 'a' }, a, b),
    version({ license: 'a' }, a, b),
  ]);
  expect(new Set(versions).size).toBe(versions.length);
  expect(await version({ search: 'a', limit: 1 }, b, a)).toBe(await version({ limit: 1, search: 'a' }, a, b));
});

test.each<ListQuery>([
  {},
  { limit: 1 },
  { limit: 50 },
  { engine: 'llamacpp' },
  { accelerator: 'cpu', search: 'dune' },
  { search: 'nothing-has-this' },
])('the body of the answer to %j has the listed items', (query) => {
  const json = JSON.parse(catalog.listBody(query).toString());
  expect(json).toEqual({ items: catalog.list(query).map(({ item }) => item) });
  expect(CatalogList.safeParse(json).success).toBe(true);
});

test('fields beyond the contract are not served, and absent fields are omitted', async () => {
  const [first] = generatedCatalog(1);
  if (!first) throw new Error('There is one.');
  const recipe = { ...first.item.recipes[0], secret: 1, revision: undefined };
  const item = { ...first.item, x: { secret: 1 }, recipes: [recipe] };
  const text = (await catalogOf({ ...first, item } as unknown as typeof first)).listBody({}).toString();
  expect(text).not.toMatch(/secret|revision|null/);
  expect(Object.keys(JSON.parse(text).items[0])).toEqual([
    'modelName',
    'createdAt',
    'authorName',
    'license',
    'repoId',
    'task',
    'recipes',
  ]);
});
