/** The catalog's list and its edge cases: the real daemon over real HTTP, every reply checked against both descriptions. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type CatalogItem, ListEngine, ListTask, type Recipe } from '../../contract/catalog/catalog.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { projectDir } from '../../testing/daemon/test-daemon.ts';
import { smallCatalog } from '../../testing/models/small-catalog.ts';

const LIST = '/api/v1/catalog/list';

let checked: CheckedDaemon;
let all: readonly CatalogItem[];
beforeAll(async () => {
  checked = await startCheckedDaemon();
  all = await items('');
});
afterAll(() => checked?.[Symbol.asyncDispose]());

const list = (query: string, headers: Record<string, string> = {}) =>
  checked.ask('GET', `${LIST}${query}`, { headers, token: null });
async function items(query: string): Promise<CatalogItem[]> {
  const { status, body } = await list(query);
  expect(status, query).toBe(200);
  return body.items;
}
const ids = async (query: string) => (await items(query)).map(({ repoId }) => repoId);
const idsOf = (some: readonly CatalogItem[]) => some.map(({ repoId }) => repoId);
const bytewise = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('the complete list', () => {
  test('has every shipped item, newest first, then by repository, the same each time', async () => {
    const shipped = JSON.parse(
      await readFile(join(projectDir, 'assets', 'catalog', 'catalog-items.json'), 'utf8'),
    ) as CatalogItem[];
    const sorted = shipped.toSorted((a, b) => bytewise(b.createdAt, a.createdAt) || bytewise(a.repoId, b.repoId));
    expect(sorted.length).toBeGreaterThan(100);
    expect(idsOf(all)).toEqual(idsOf(sorted));
    const texts = new Set([
      (await list('')).text,
      (await list('')).text,
      (await list('/')).text,
      (await list('?')).text,
    ]);
    expect(texts.size).toBe(1);
  });

  test('has exactly the documented keys, none null, and no internal data', async () => {
    const itemKeys = ['authorName', 'createdAt', 'license', 'modelName', 'recipes', 'repoId', 'task'];
    const recipeKeys = new Set(['accelerator', 'engineType', 'ggufFile', 'publicId', 'revision']);
    for (const item of all) {
      expect(Object.keys(item).sort()).toEqual(itemKeys);
      expect(item.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      for (const recipe of item.recipes) {
        expect(Object.keys(recipe).filter((key) => !recipeKeys.has(key))).toEqual([]);
        expect(Object.values(recipe)).not.toContain(null);
      }
    }
    expect((await list('')).text).not.toMatch(/weightBytes|parameterCount|contextLength|kvHeads|mmproj|"x":/);
    const publicIds = all.flatMap(({ recipes }) => recipes.map(({ publicId }) => publicId));
    expect(new Set(publicIds).size).toBe(publicIds.length);
  });

  test('is JSON that is never cached, and HEAD has the same headers without a body', async () => {
    const got = await list('');
    expect(got.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(got.text)),
      'cache-control': 'no-cache',
    });
    const head = await checked.ask('HEAD', LIST);
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
    for (const header of ['content-type', 'content-length', 'cache-control']) {
      expect(head.headers[header]).toBe(got.headers[header]);
    }
    expect((await checked.ask('HEAD', `${LIST}?limit=0`)).status).toBe(400);
  });

  test.each([
    ['none', {}],
    ['one that is not known', { authorization: 'Bearer nobody-knows-it' }],
    ['another scheme', { authorization: 'Basic eDp5' }],
    ['nothing behind the scheme', { authorization: 'Bearer' }],
  ])('asks for no token: %s', async (_, headers) => {
    expect((await list('', headers)).body.items).toHaveLength(all.length);
  });

  test('other methods are refused with the allowed ones', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const { status, headers } = await checked.ask(method, LIST, { body: {} });
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD' });
    }
    expect((await checked.ask('GET', '/API/V1/catalog/list')).status).toBe(404);
    expect((await checked.ask('GET', '/api/v1/catalog/lists')).status).toBe(404);
  });
});

describe('filters', () => {
  const has = (wanted: Partial<Recipe>) => (recipe: Recipe) =>
    Object.entries(wanted).every(([key, value]) => recipe[key as keyof Recipe] === value);

  test.each([
    ...(['cpu', 'gpu', 'neuron'] as const).map((accelerator) => ({ accelerator })),
    ...ListEngine.options.map((engineType) => ({ engineType })),
    ...ListEngine.options.flatMap((engineType) =>
      (['cpu', 'gpu', 'neuron'] as const).map((accelerator) => ({ accelerator, engineType })),
    ),
  ])('%j holds for one recipe of an item together, and the item comes whole', async (wanted: Partial<Recipe>) => {
    const { accelerator, engineType } = wanted;
    const filters = [accelerator && `accelerator=${accelerator}`, engineType && `engine=${engineType}`];
    const expected = all.filter(({ recipes }) => recipes.some(has(wanted)));
    expect(await items(`?${filters.filter(Boolean).join('&')}`)).toEqual(expected);
  });

  test('accelerator and engine must match in the same recipe', async () => {
    const both = await ids('?accelerator=gpu&engine=tei');
    const either = all.filter(
      ({ recipes }) => recipes.some(has({ accelerator: 'gpu' })) && recipes.some(has({ engineType: 'tei' })),
    );
    expect(both.length).toBeGreaterThan(0);
    expect(idsOf(either)).toEqual(expect.arrayContaining(both));
    expect(await ids('?accelerator=neuron&engine=llamacpp')).toEqual([]);
  });

  test.each(ListTask.options)('task=%s', async (task) => {
    const expected = all.filter((item) => item.task === task);
    expect(expected.length).toBeGreaterThan(0);
    expect(await items(`?task=${task}`)).toEqual(expected);
  });

  test('all filters combine, and a sort order or a limit does not change the matches', async () => {
    const expected = all.filter(
      ({ task, license, recipes, repoId }) =>
        task === 'text-generation' &&
        license === 'apache-2.0' &&
        recipes.some(has({ accelerator: 'cpu', engineType: 'llamacpp' })) &&
        /qwen/i.test(repoId),
    );
    expect(expected.length).toBeGreaterThan(2);
    const query = '?task=text-generation&license=Apache-2.0&accelerator=cpu&engine=llamacpp&search=QWEN';
    expect(await items(query)).toEqual(expected);
    for (const limit of [1, 2, expected.length, expected.length + 1]) {
      expect(await items(`${query}&limit=${limit}`)).toEqual(expected.slice(0, limit));
      expect(await items(`?limit=${limit}&${query.slice(1)}`)).toEqual(expected.slice(0, limit));
    }
  });

  test.each([
    ['license=apache-2', 0],
    ['license=zzz', 0],
    ['task=custom&search=zzz', 0],
  ])('%s matches nothing, which is no error', async (query, count) => {
    expect((await list(`?${query}`)).body).toEqual({ items: [] });
    expect(await items(`?${query}`)).toHaveLength(count);
  });

  test.each(['search=', 'license=', 'search=&license=', 'search=%20%09', 'Limit=0', 'somethingNewer=1'])(
    '%s filters nothing',
    async (query) => {
      expect(await ids(`?${query}`)).toEqual(idsOf(all));
    },
  );

  test.each(['limit%5B%5D=1', '__proto__=1&constructor=2&toString=3', '%ZZ=1', '&&&=', 'engines=custom'])(
    '%s is ignored as unknown',
    async (query) => {
      expect(await ids(`?${query}`)).toEqual(idsOf(all));
    },
  );
});

describe('search', () => {
  const words = ({ repoId, modelName, authorName, task, license, recipes }: CatalogItem) =>
    [repoId, modelName, authorName, task, license, ...recipes.map(({ ggufFile = '' }) => ggufFile)]
      .join('\n')
      .toLowerCase();

  test.each([
    ['qwen', ['qwen']],
    ['QWEN%20Gguf', ['qwen', 'gguf']],
    ['%20%20gguf++qwen%09', ['gguf', 'qwen']],
    ['q4_k_m', ['q4_k_m']],
    ['text-generation+apache', ['text-generation', 'apache']],
    ['v1.5', ['v1.5']],
    ['/bge-', ['/bge-']],
  ])('%s finds the models with every word', async (search, wanted) => {
    const expected = all.filter((item) => wanted.every((word) => words(item).includes(word)));
    expect(expected.length).toBeGreaterThan(0);
    expect(await ids(`?search=${search}`)).toEqual(idsOf(expected));
  });

  test.each(['.*', 'qwen.', '%5Eqwen', 'q%5Bw%5Den', '%ZZ', '%00', '%E0%A4%A', '%F0%9F%A4%96', `${'a'.repeat(200)}`])(
    '%s is searched literally, and matches nothing',
    async (search) => {
      expect(await ids(`?search=${search}`)).toEqual([]);
    },
  );

  test('is at most 200 characters long', async () => {
    expect((await list(`?search=${'a'.repeat(201)}`)).status).toBe(400);
    expect((await list(`?license=${'a'.repeat(201)}`)).status).toBe(400);
    expect((await list(`?license=${'a'.repeat(200)}`)).status).toBe(200);
  });
});

describe('limit', () => {
  test.each([
    ['1', 1],
    ['2', 2],
    ['007', 7],
    ['%31', 1],
    ['100000', Number.POSITIVE_INFINITY],
    ['9007199254740991', Number.POSITIVE_INFINITY],
    ['0000000000000000000000009007199254740991', Number.POSITIVE_INFINITY],
  ])('%s', async (limit, count) => {
    expect(await ids(`?limit=${limit}`)).toEqual(idsOf(all).slice(0, count));
  });

  test.each([
    ...['0', '00', '-1', '-0', '1.5', '1.0', '1e3', '0x10', '0b1', '0o7', '+5', '%2B5', '%205%20', '5%20', '5%0A', ''],
    ...['abc', 'NaN', 'Infinity', 'null', 'true', '1_000', '1,000', '9007199254740992', '99999999999999999999999'],
    ...['%D9%A1', '%EF%BC%91', '%ZZ', '1%00', '%5B1%5D'],
  ])('%j is invalid', async (limit) => {
    const { status, body } = await list(`?limit=${limit}`);
    expect(status).toBe(400);
    expect(body.details).toEqual([{ code: expect.any(String), path: ['limit'], message: expect.any(String) }]);
  });
});

describe('an invalid query', () => {
  test.each([
    ...['accelerator=GPU', 'accelerator=zero_gpu', 'accelerator=', 'accelerator=cpu%20', 'accelerator=%ZZ'],
    ...['engine=custom', 'engine=vllmNeuron', 'engine=vllmOmni', 'engine=vLLM', 'engine='],
    ...['task=sentence-embeddings', 'task=Text-Generation', 'task=', 'task=text-generation,custom'],
    ...['limit=1&limit=2', 'search=a&search=b', 'license=mit&license=mit', 'task=custom&task=custom'],
    ...['accelerator=cpu&accelerator=cpu', 'engine=tei&engine=tei', 'limit&limit'],
  ])('%s is refused where it is wrong, with the details of a list', async (query) => {
    const { status, body } = await list(`?${query}`);
    const [name = ''] = query.split(/[=&]/);
    expect({ status, keys: Object.keys(body).sort() }).toEqual({ status: 400, keys: ['details', 'error'] });
    expect(body.error).toMatch(/^[A-Z].*\.$/);
    expect(body.details.map(({ path }: { path: string[] }) => path)).toEqual([[name]]);
  });

  test('lists every issue', async () => {
    const { body } = await list('?limit=0&engine=custom&task=&accelerator=tpu&search=a&search=b');
    const paths = body.details.map(({ path: [name] }: { path: string[] }) => name);
    expect(paths.sort()).toEqual(['accelerator', 'engine', 'limit', 'search', 'task']);
  });
});

describe('a list that the client has', () => {
  const etagOf = async (query: string) => String((await list(query)).headers.etag);

  test('has a weak tag, the same for the same question, and is asked for again each time', async () => {
    const { headers } = await list('?task=text-generation&limit=3');
    expect(headers).toMatchObject({ etag: expect.stringMatching(/^W\/"[\w-]+"$/), 'cache-control': 'no-cache' });
    expect(await etagOf('?limit=3&task=text-generation&unknown=1')).toBe(headers.etag);
    const others = ['', '?limit=3', '?limit=2&task=text-generation', '?task=custom', '?search=a', '?license=a'];
    expect(new Set(await Promise.all([...others, '?limit=3&task=text-generation'].map(etagOf))).size).toBe(7);
  });

  test.each([
    ['the tag', (etag: string) => etag],
    ['the tag as a strong one', (etag: string) => etag.replace('W/', '')],
    ['a list with it', (etag: string) => `"x, y", W/"z" ,${etag}`],
    ['*', () => '*'],
  ])('%s gets 304 without a body', async (_what, header) => {
    const etag = await etagOf('?limit=3');
    for (const cached of [{}, { 'cache-control': 'no-cache' }]) {
      const headers = { 'if-none-match': header(etag), ...cached };
      for (const method of ['GET', 'HEAD']) {
        const answer = await checked.ask(method, `${LIST}?limit=3`, { headers, token: null });
        expect({ status: answer.status, text: answer.text }).toEqual({ status: 304, text: '' });
        expect(answer.headers).toMatchObject({ etag, 'cache-control': 'no-cache' });
        expect(answer.headers).not.toHaveProperty('content-type');
      }
    }
  });

  test('any other tag gets the list, and a refusal has none', async () => {
    const etag = await etagOf('?limit=3');
    for (const other of [await etagOf('?limit=4'), '"x"', etag.replaceAll('"', ''), 'W/"*"', '']) {
      const answer = await list('?limit=3', { 'if-none-match': other });
      expect({ status: answer.status, etag: answer.headers.etag }).toEqual({ status: 200, etag });
    }
    const refused = await list('?limit=0', { 'if-none-match': '*' });
    expect({ status: refused.status, etag: refused.headers.etag }).toEqual({ status: 400, etag: undefined });
    expect(refused.headers['cache-control']).toBe('no-store');
    const head = await checked.ask('HEAD', `${LIST}?limit=3`, { token: null });
    expect(head).toMatchObject({ status: 200, text: '', headers: { etag } });
  });
});

describe('a catalog file', () => {
  const stored = smallCatalog.map(({ item, facts }) => ({ ...item, x: facts }));

  async function daemonWith(content: string) {
    const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-catalog-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'catalog.json');
    await writeFile(file, content);
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => written.mockRestore());
    const own = await startCheckedDaemon({ catalogFile: file, logLevel: 'warn' });
    onTestFinished(() => own[Symbol.asyncDispose]());
    return {
      ask: (...asked: Parameters<CheckedDaemon['ask']>) => own.ask(...asked),
      folder,
      file,
      log: () => written.mock.calls.map(([line]) => String(line)).join(''),
    };
  }

  test('that is damaged or missing is a failure without a path, until it is repaired', async () => {
    const { ask, file, folder, log } = await daemonWith('[{"modelName":');
    for (const damage of ['[{"modelName":', '{"items":[]}', '', null]) {
      await (damage === null ? rm(file) : writeFile(file, damage));
      for (const path of [LIST, '/api/catalog/repo-list', '/api/models', '/api/models/ada/Tiny-GGUF']) {
        const { status, body, text } = await ask('GET', path);
        expect({ path, damage, status, keys: Object.keys(body) }).toEqual({
          path,
          damage,
          status: 500,
          keys: ['error'],
        });
        expect(text).not.toContain(folder);
        expect(text).not.toMatch(/ENOENT|JSON|\/tmp/);
      }
    }
    expect(log()).toContain(file);
    const deploy = await ask('POST', '/api/v1/catalog/model/ada/Tiny-GGUF/deploy', { body: { namespace: 'lab' } });
    expect(deploy.status).toBe(500);
    await writeFile(file, JSON.stringify(stored));
    expect((await ask('GET', LIST)).body.items).toHaveLength(stored.length);
  });

  test('omits an invalid item, and logs it', async () => {
    const [first, ...others] = stored;
    const { ask, log } = await daemonWith(
      JSON.stringify([
        { ...first, createdAt: 'yesterday' },
        ...others,
        null,
        { ...first, repoId: 'no-owner' },
        { ...first, repoId: 'ada/Extra', surprise: 1 },
      ]),
    );
    const listed = idsOf((await ask('GET', LIST)).body.items);
    expect(listed.toSorted(bytewise)).toEqual(idsOf(others as CatalogItem[]).toSorted(bytewise));
    expect(listed[0]).toBe('ada/Eyes-GGUF');
    expect(listed.slice(1)).toEqual(listed.slice(1).toSorted(bytewise));
    for (const number of [1, stored.length + 1, stored.length + 2, stored.length + 3]) {
      expect(log()).toContain(`item ${number} of the file is omitted`);
    }
  });
});

test('older clients get the repositories in the same order', async () => {
  expect((await checked.ask('GET', '/api/catalog/repo-list', { token: null })).body).toEqual({ models: idsOf(all) });
});
