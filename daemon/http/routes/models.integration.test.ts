/** The dashboard's operations for models: the real daemon over real HTTP, every reply checked twice. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CatalogItem } from '../../contract/catalog/catalog.ts';
import type {
  ConsideredRecipe,
  FacetCount,
  ModelDetail,
  ModelPage,
  ModelSummary,
} from '../../contract/catalog/models.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { newDataDir } from '../../testing/daemon/test-daemon.ts';
import { writeSmallCatalog } from '../../testing/models/small-catalog.ts';

/** A daemon with the shipped catalog, and one with a small catalog whose fit is known. */
let shipped: CheckedDaemon;
let small: CheckedDaemon;
let dataDir: string;
let all: readonly CatalogItem[];

beforeAll(async () => {
  dataDir = await newDataDir();
  const catalogFile = await writeSmallCatalog(dataDir);
  [shipped, small] = await Promise.all([startCheckedDaemon(), startCheckedDaemon({ dataDir, catalogFile })]);
  all = (await shipped.ask('GET', '/api/v1/catalog/list')).body.items;
});
afterAll(async () => {
  await Promise.all([shipped?.[Symbol.asyncDispose](), small?.[Symbol.asyncDispose]()]);
  await rm(dataDir, { recursive: true, force: true });
});

async function page(query: string, of = shipped): Promise<ModelPage> {
  const { status, body } = await of.ask('GET', `/api/models?${query}`, { token: null });
  expect(status, query).toBe(200);
  return body;
}
const ids = (models: readonly { repoId: string }[]) => models.map(({ repoId }) => repoId);
/** The models on all pages of a query. */
async function everyPage(query: string, limit = 30): Promise<ModelSummary[]> {
  const first = await page(`${query}&limit=${limit}`);
  const rest = Array.from({ length: Math.max(0, first.pages - 1) }, (_, at) =>
    page(`${query}&limit=${limit}&page=${at + 2}`),
  );
  return [first, ...(await Promise.all(rest))].flatMap(({ models }) => models);
}

describe('a page of models', () => {
  test('has 24 models, newest first, in the order of the catalog', async () => {
    const first = await page('');
    expect(first).toMatchObject({ matches: all.length, page: 1, pages: Math.ceil(all.length / 24) });
    expect(first.source).toEqual({
      ...{ kind: 'embedded', url: null, hasToken: false, fetchedAt: null, problem: null, total: all.length },
    });
    expect(ids(first.models)).toEqual(ids(all).slice(0, 24));
    expect(ids(await everyPage(''))).toEqual(ids(all));
    expect(await page(`page=${first.pages + 1}`)).toMatchObject({
      models: [],
      page: first.pages + 1,
      pages: first.pages,
    });
    for (const { repoId, recipes, ...summary } of first.models) {
      expect(recipes).toEqual(all.find((item) => item.repoId === repoId)?.recipes);
      expect(summary.fit.sentence).toMatch(/^[A-Z].*\.$/);
      expect(summary.fit.fits).toBe(summary.fit.publicId !== null);
    }
  });

  test('can be sorted differently', async () => {
    const named = (await everyPage('sort=name')).map(({ modelName }) => modelName.toLowerCase());
    expect(named).toEqual(named.toSorted((a, b) => a.localeCompare(b, 'en')));
    const sizes = (await everyPage('sort=smallest')).map(({ smallestBytes }) => smallestBytes);
    const known = sizes.filter((size) => size !== null);
    expect(known).toEqual(known.toSorted((a, b) => a - b));
    expect(sizes.slice(0, known.length)).toEqual(known);
  });

  test.each([
    ['task=text-generation', (item: CatalogItem) => item.task === 'text-generation'],
    ['license=apache-2.0', (item: CatalogItem) => item.license === 'apache-2.0'],
    ['engine=vllmNeuron', (item: CatalogItem) => item.recipes.some(({ engineType }) => engineType === 'vllmNeuron')],
    ['engine=custom', (item: CatalogItem) => item.recipes.some(({ engineType }) => engineType === 'custom')],
    ['accelerator=neuron', (item: CatalogItem) => item.recipes.some(({ accelerator }) => accelerator === 'neuron')],
    ['author=BAAI', (item: CatalogItem) => item.authorName === 'BAAI'],
    ['search=qwen', (item: CatalogItem) => /qwen/i.test(JSON.stringify(item))],
    ['search=&task=&license=&author=', () => true],
    [
      'accelerator=cpu&engine=llamacpp&search=gguf',
      ({ recipes }: CatalogItem) =>
        recipes.some(({ accelerator, engineType }) => accelerator === 'cpu' && engineType === 'llamacpp'),
    ],
  ])('%s', async (query, matching) => {
    const expected = ids(all.filter(matching));
    expect(expected.length).toBeGreaterThan(0);
    expect(ids(await everyPage(query))).toEqual(expected);
    expect((await page(query)).matches).toBe(expected.length);
  });

  test('counts the matches of each facet value, ignoring the filter on that facet', async () => {
    const { facets } = await page('task=text-generation&accelerator=cpu&engine=llamacpp');
    const count = async (query: string) => (await page(query)).matches;
    const rest = { task: 'task=text-generation', kind: 'accelerator=cpu&engine=llamacpp' };
    const queries: Record<keyof typeof facets, (value: string) => string> = {
      task: (value) => `${rest.kind}&task=${value}`,
      license: (value) => `${rest.task}&${rest.kind}&license=${encodeURIComponent(value)}`,
      author: (value) => `${rest.task}&${rest.kind}&author=${encodeURIComponent(value)}`,
      accelerator: (value) => `${rest.task}&engine=llamacpp&accelerator=${value}`,
      engine: (value) => `${rest.task}&accelerator=cpu&engine=${value}`,
    };
    for (const [facet, query] of Object.entries(queries) as [keyof typeof facets, (value: string) => string][]) {
      const counts = facets[facet];
      expect(counts.length, facet).toBeGreaterThan(0);
      for (const { value, count: reported } of counts.slice(0, 6)) {
        expect({ facet, value, count: reported }).toEqual({ facet, value, count: await count(query(value)) });
      }
    }
    const tasks = (some: readonly FacetCount[]) => some.map(({ value }) => value);
    expect(tasks((await page('')).facets.task).toSorted()).toEqual(
      [...new Set(all.map(({ task }) => task))].toSorted(),
    );
  });

  test('can be filtered by the fit on this machine', async () => {
    const running = await page('fits=true', small);
    expect(ids(running.models)).toEqual([
      ...['ada/Ranks-GGUF', 'ada/Tiny-GGUF'],
      ...['bob/A_long.name-that-never-ends-and-never-stops-v1.5', 'bob/Same', 'bob/same'],
    ]);
    expect(running.models.every(({ fit }) => fit.fits)).toBe(true);
    expect(ids((await page('fits=true&search=tiny', small)).models)).toEqual(['ada/Tiny-GGUF']);
    const others = (await page('fits=false', small)).models.filter(({ fit }) => !fit.fits);
    expect(others.map(({ repoId, fit }) => [repoId, fit.publicId, fit.offer])).toEqual([
      ['ada/Eyes-GGUF', null, null],
      ['ada/Elsewhere', null, null],
      ['ada/Huge-GGUF', null, null],
    ]);
    const here = (await everyPage('fits=true')).map(({ repoId }) => repoId);
    const fitting = (await everyPage('')).filter(({ fit }) => fit.fits);
    expect(here).toEqual(ids(fitting));
    expect(ids((await page('fitsCard=true', small)).models)).toEqual([]); // its recipes are for the CPU
    expect((await page('fitsCard=false', small)).matches).toBe((await page('', small)).matches);
  });

  test.each([
    ...['limit=0', 'limit=101', 'page=0', 'page=x', 'sort=quickest', 'fits=maybe', 'engine=rocket', 'accelerator=tpu'],
    ...['fitsCard=maybe', 'fitsCard=', 'fitsCard=true&fitsCard=true'],
    ...['search=a&search=b', `search=${'a'.repeat(201)}`],
  ])('%s is refused', async (query) => {
    const { status, body } = await shipped.ask('GET', `/api/models?${query}`);
    expect({ status, path: body.details[0].path }).toEqual({ status: 400, path: [query.split('=')[0]] });
  });
});

describe('a model', () => {
  const detail = async (path: string, of = small): Promise<ModelDetail> =>
    (await of.ask('GET', `/api/models/${path}`, { token: null })).body;
  const rows = (recipes: readonly ConsideredRecipe[]) =>
    recipes.map(({ recipe, isChosen, fits }) => [recipe.publicId, isChosen, fits]);

  test('has a reason for every recipe and every offer', async () => {
    const { item, fit, recipes, suggestedName } = await detail('ada/Tiny-GGUF');
    expect(rows(recipes)).toEqual([
      ['tiny-q4', true, true],
      ['tiny-q8', false, true],
      ['tiny-neuron', false, false],
    ]);
    expect(fit).toMatchObject({ fits: true, publicId: 'tiny-q4', offer: { label: 'this machine' } });
    expect(fit).toMatchObject({ place: 'processor', layers: null });
    expect(suggestedName).toMatch(/^tiny-gguf-[a-z0-9]{3}$/);
    const [first] = recipes;
    const offers = first?.considered.length ?? 0;
    expect(offers).toBeGreaterThan(50);
    for (const { considered, reason } of recipes) {
      expect(considered).toHaveLength(offers);
      for (const text of [reason, ...considered.map((row) => row.reason)]) expect(text).toMatch(/^[A-Z].*\.$/);
    }
    expect(first?.considered[0]).toMatchObject({ fits: true, offer: { label: 'this machine' } });
    expect(recipes[2]?.reason).toContain('Neuron');

    const deployed = await small.ask('POST', '/api/v1/catalog/model/ada/Tiny-GGUF/deploy', {
      body: { namespace: 'lab', config: { name: suggestedName } },
    });
    expect(deployed.body.endpoint.model).toMatchObject({ repository: item.repoId });
    expect(deployed.body.endpoint.compute.id).toBe(fit.offer?.id);
  });

  test.each([
    ['ada/Huge-GGUF', /^Needs \d+ TB, \d+ TB more than this machine has for it\.$/],
    ['ada/Elsewhere', /^Needs TEI, which runs in a container\. [A-Z].*\.$/],
  ])('has a reason why %s does not run', async (path, sentence) => {
    const { fit, recipes } = await detail(path);
    expect(fit).toMatchObject({ fits: false, publicId: null, offer: null });
    expect(fit.sentence).toMatch(sentence);
    expect(rows(recipes).some(([, isChosen, fits]) => isChosen || fits)).toBe(false);
  });

  test('has the recipe that a deploy would choose, for every shipped model', async () => {
    for (const { repoId } of all.slice(0, 40)) {
      const { fit, recipes } = await detail(repoId, shipped);
      const chosen = recipes.filter(({ isChosen }) => isChosen).map(({ recipe }) => recipe.publicId);
      expect({ repoId, chosen }).toEqual({ repoId, chosen: fit.publicId === null ? [] : [fit.publicId] });
      const [model] = (await page(`search=${encodeURIComponent(repoId)}&limit=100`)).models.filter(
        (one) => one.repoId === repoId,
      );
      // Only a model's page names a variant that fits.
      expect(model?.fit).toEqual({ ...fit, sentence: fit.sentence.replace(/; .* fits\.$/, '.') });
    }
  });

  test.each(['nobody/nothing', 'bob/SAME', '..%2F..%2Fetc/passwd', '__proto__/constructor'])(
    'named %s does not exist',
    async (path) => {
      expect((await small.ask('GET', `/api/models/${path}`)).status).toBe(404);
    },
  );

  test('with an invalid path is refused', async () => {
    expect((await small.ask('GET', '/api/models/%E0%A4%A/x')).body.error).toBe('The path cannot be decoded.');
    expect((await small.ask('GET', `/api/models/${'a'.repeat(201)}/x`)).body.issues[0].path).toEqual(['author']);
  });
});

test('the downloads of a model are known before a deploy, also without the hub', async () => {
  const { status, body } = await small.ask('GET', '/api/models/ada/Tiny-GGUF/downloads', { token: null });
  const estimate = {
    ...{ totalBytes: 400_000, isExact: false, missingBytes: 400_000, lackingBytes: expect.any(Number) },
    problem: {
      message: expect.stringMatching(/^The hub cannot be reached/),
      action: 'Check the network, then try again.',
    },
    isBlocked: true,
  };
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      recipes: [
        { publicId: 'tiny-q4', ...estimate },
        { publicId: 'tiny-q8', ...estimate },
        { publicId: 'tiny-neuron', ...estimate },
      ],
      disk: { folder: expect.stringContaining('models'), freeBytes: expect.any(Number) },
    },
  });
  expect((await small.ask('GET', '/api/models/ada/nothing/downloads')).status).toBe(404);
});
