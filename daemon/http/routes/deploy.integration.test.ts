/** Deploys from the catalog, their endpoints and refusals: the real daemon over real HTTP. */
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { endpointApi, issuePaths, MODEL, RECIPE, withoutProgress } from '../../testing/daemon/endpoint-api.ts';
import { newDataDir } from '../../testing/daemon/test-daemon.ts';
import { writeStuckLlamaServer } from '../../testing/models/llama-server-standin.ts';
import { writeSmallCatalog } from '../../testing/models/small-catalog.ts';

const OLDER = '/api/catalog/deploy';

const api = endpointApi();
const { ask, post, deploy, names } = api;

describe('a deploy creates', () => {
  test('an endpoint from the item, its recipe, the offer and the defaults only', async () => {
    const started = Date.now();
    const { status, body } = await deploy({ name: 'tiny' });
    expect(status).toBe(200);
    const me = { id: expect.any(String), name: 'token-1' };
    const { createdAt } = body.endpoint.status;
    expect(body).toEqual({
      endpoint: {
        ...{ name: 'tiny', type: 'authenticated', accountId: null, healthRoute: '/health' },
        provider: { vendor: 'local', region: 'this-machine' },
        compute: {
          accelerator: 'cpu',
          id: expect.stringMatching(/^local-this-machine-host-x\d+$/),
          instanceType: 'host',
          instanceSize: expect.stringMatching(/^x\d+$/),
          scaling: { minReplica: 0, maxReplica: 1, scaleToZeroTimeout: 15, measure: null },
        },
        model: {
          ...{ repository: 'ada/Tiny-GGUF', revision: null, framework: 'llamacpp', task: 'text-generation' },
          ...{ args: null, command: null, env: {}, secrets: {}, fromCatalog: true },
          image: {
            llamacpp: {
              ...{ url: 'engines/llamacpp:cpu', healthRoute: '/health' },
              ...{ modelPath: '/repository/tiny-q4.gguf', ctxSize: 4_096 },
            },
          },
        },
        allowedOrigins: [],
        cacheHttpResponses: false,
        customRouter: null,
        experimentalFeatures: {
          ...{ cacheHttpResponses: false, loadBalancer: 'random', mcpLb: null, skipRepoDownload: false },
        },
        network: null,
        notifications: { email: false, push: false },
        privateService: null,
        route: null,
        tags: [],
        status: {
          ...{ state: 'pending', message: 'Waiting to start.', private: null },
          url: `${api.daemon.url}/endpoints/lab/tiny`,
          ...{ readyReplica: 0, targetReplica: 0, createdAt, createdBy: me, updatedAt: createdAt, updatedBy: me },
        },
      },
    });
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(started - 1);
    const { body: read } = await ask('GET', '/v2/endpoint/lab/tiny');
    expect(withoutProgress(read)).toEqual(withoutProgress(body.endpoint));
  });

  test('an endpoint from a recipe by its id, with its revision and its file', async () => {
    const { body } = await deploy({ name: 'q8' }, {}, '/api/v1/catalog/recipe/tiny-q8/deploy');
    expect(body.endpoint.model).toMatchObject({
      revision: 'b2c3',
      image: { llamacpp: { modelPath: '/repository/q8/tiny-q8.gguf' } },
    });
  });

  test.each([
    ['accelerator', { accelerator: 'cpu' }, 'tiny-q4.gguf'],
    ['its file', { ggufFile: 'tiny-q4.gguf' }, 'tiny-q4.gguf'],
    ['the path of its file', { ggufFile: 'q8/tiny-q8.gguf' }, 'q8/tiny-q8.gguf'],
    ['the bare name of its file', { ggufFile: 'tiny-q8.gguf', accelerator: 'cpu' }, 'q8/tiny-q8.gguf'],
  ])('an endpoint from the recipe selected by %s', async (_, wanted, file) => {
    const { body } = await deploy(undefined, wanted);
    expect(body.endpoint.model.image.llamacpp.modelPath).toBe(`/repository/${file}`);
  });

  test('an endpoint with the known requirements of the model', async () => {
    const { body } = await deploy(undefined, {}, '/api/v1/catalog/model/ada/Ranks-GGUF/deploy');
    expect(body.endpoint.model).toMatchObject({
      task: 'text-ranking',
      image: { llamacpp: { mode: 'reranking', pooling: 'rank' } },
    });
  });

  test.skipIf(process.platform === 'win32')('an endpoint that reads images, where llama-server is', async () => {
    const eyes = '/api/v1/catalog/model/ada/Eyes-GGUF/deploy';
    const without = await deploy(undefined, {}, eyes);
    expect(without).toMatchObject({ status: 409, body: { error: expect.stringContaining('llama-server') } });
    const dataDir = await newDataDir();
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const [llamaServer, catalogFile] = [await writeStuckLlamaServer(dataDir), await writeSmallCatalog(dataDir)];
    await using checked = await startCheckedDaemon({ dataDir, catalogFile, llamaServer });
    const { body } = await checked.ask('POST', eyes, { body: { namespace: 'lab' } });
    expect(body.endpoint.model).toMatchObject({
      task: 'image-text-to-text',
      image: { llamacpp: { mmprojModelPath: '/repository/mmproj.gguf' } },
    });
  });

  test('an endpoint for a dashboard with a session cookie', async () => {
    const { name, value } = api.daemon.newSessionCookie();
    const headers = { cookie: `${name}=${value}` };
    const { status, body } = await post(MODEL, { token: null, headers, body: { namespace: 'lab' } });
    expect({ status, by: body.endpoint.status.createdBy.name }).toEqual({ status: 200, by: 'dashboard' });
  });

  test('an endpoint for a request of older clients', async () => {
    const wanted = { namespace: 'lab', repoId: 'ada/Tiny-GGUF' };
    const { body } = await post(OLDER, { body: { ...wanted, endpointName: 'older', accelerator: 'cpu' } });
    expect(body.endpoint).toMatchObject({ name: 'older', model: { repository: 'ada/Tiny-GGUF' } });
    const unsaid = await post(OLDER, { body: { ...wanted, endpointName: null, accelerator: null } });
    expect(unsaid.body.endpoint.name).toMatch(/^tiny-gguf-[a-z0-9]{3}$/);
    expect(issuePaths(await post(OLDER, { body: { ...wanted, endpointName: 'older' } }))).toEqual(['config.name']);
    const wrong = await post(OLDER, { body: { namespace: '', repoId: 'Tiny', endpointName: 'A', more: 1 } });
    expect(issuePaths(wrong)).toEqual(['endpointName', 'more', 'namespace', 'repoId']);
    expect((await post(OLDER, { body: { ...wanted, repoId: 'ada/nothing' } })).status).toBe(404);
    expect((await post(OLDER, { body: { ...wanted, repoId: 'ada/Huge-GGUF' } })).status).toBe(409);
    expect((await post(OLDER, { token: null, body: wanted })).status).toBe(401);
  });
});

describe('a missing resource', () => {
  const at = (author: string, model: string) => `/api/v1/catalog/model/${author}/${model}/deploy`;

  test.each([
    ['ada', 'nobody-knows-it'],
    ['nobody', 'Tiny-GGUF'],
    ['bob', 'SAME'],
    ['ada', 'Tiny-GGUF%00'],
    ['ada%2FTiny-GGUF', 'x'],
    ['%2E%2E', '%2E%2E'],
    ['__proto__', 'constructor'],
    ['%F0%9F%A4%96', 'x'.repeat(200)],
  ])('a model %s/%s', async (author, model) => {
    const { status, body } = await deploy(undefined, {}, at(author, model));
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 404, keys: ['error'] });
  });

  test('a model is found by its exact name, or else by the only one that differs in case alone', async () => {
    for (const [asked, found] of [
      ['ada/Tiny-GGUF', 'ada/Tiny-GGUF'],
      ['ADA/tiny-gguf', 'ada/Tiny-GGUF'],
      ['bob/same', 'bob/same'],
      ['bob/Same', 'bob/Same'],
      ['%61da/Tiny%2DGGUF', 'ada/Tiny-GGUF'],
    ]) {
      const [author = '', model = ''] = asked?.split('/') ?? [];
      const { body } = await deploy(undefined, {}, `${at(author, model)}/`);
      expect(body.endpoint.model.repository).toBe(found);
    }
  });

  test.each(['nobody-knows-it', 'TINY-Q4', '__proto__', 'tiny-q4%20', '..%2Ftiny-q4'])(
    'a recipe %s',
    async (recipe) => {
      const { status, body } = await deploy(undefined, {}, `/api/v1/catalog/recipe/${recipe}/deploy`);
      expect({ status, body }).toEqual({ status: 404, body: { error: expect.stringContaining('has no recipe') } });
    },
  );

  test.each([
    { accelerator: 'gpu' },
    { ggufFile: 'nothing.gguf' },
    { ggufFile: '../x' },
    { ggufFile: '/etc/passwd' },
    { ggufFile: 'TINY-Q4.gguf' },
    { ggufFile: '\u0000' },
    { accelerator: 'neuron', ggufFile: 'tiny-q4.gguf' },
  ])('a recipe with %j, and the reply lists the existing ones', async (wanted) => {
    const { status, body } = await deploy(undefined, wanted);
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 404, keys: ['error'] });
    expect(body.error).toContain('cpu with llamacpp (q8/tiny-q8.gguf)');
    expect(body.error).not.toContain('\u0000');
  });

  test('another method, another case of the path, another path', async () => {
    expect((await ask('GET', MODEL)).headers.allow).toBe('POST');
    expect((await ask('GET', MODEL, { token: null })).status).toBe(405);
    for (const path of [MODEL.toUpperCase(), MODEL.replace('/model/', '/Model/'), `${MODEL}/more`, at('ada', '')]) {
      expect((await post(path, { body: { namespace: 'lab' } })).status).toBe(404);
    }
  });
});

describe('a model that fits nowhere', () => {
  test.each([
    [
      'needs more than there is',
      '/api/v1/catalog/model/ada/Huge-GGUF/deploy',
      {},
      /needs \d+ TB, the largest available is \d+\.\d GB \(this machine\)/,
    ],
    ['needs more, as a recipe', '/api/v1/catalog/recipe/huge-q4/deploy', {}, /needs \d+ TB/],
    [
      'needs another engine',
      '/api/v1/catalog/model/ada/Elsewhere/deploy',
      {},
      /needs TEI, which runs in a container\. [A-Z]/,
    ],
    ['needs another accelerator', MODEL, { accelerator: 'neuron' }, /needs a Neuron accelerator/],
  ])('%s: 409 with the closest miss', async (_, path, wanted, sentence) => {
    const { status, body } = await deploy(undefined, wanted, path);
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 409, keys: ['error'] });
    expect(body.error).toMatch(/^No compatible compute found for the model: /);
    expect(body.error).toMatch(sentence);
    expect(await names()).toEqual([]);
  });
});

test('a token for some namespaces deploys there only, and finds no other namespace', async () => {
  const token = await api.newToken({ namespaces: ['home', 'lab'] });
  for (const path of [MODEL, RECIPE]) {
    expect((await post(path, { token, body: { namespace: 'lab' } })).status).toBe(200);
    const { status, body } = await post(path, { token, body: { namespace: 'attic' } });
    expect(status).toBe(400);
    expect(body.issues).toEqual([
      { code: 'custom', path: ['namespace'], message: 'The token is not for the namespace "attic".' },
    ]);
  }
});

describe('when the disk fails', () => {
  test('no endpoint is stored, the name is free again, and the reply contains no path', async () => {
    await deploy({ name: 'before' });
    const folder = join(api.dataDir, 'endpoints');
    const logged = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await rename(folder, `${folder}-away`);
    try {
      await writeFile(folder, '');
      for (const path of [MODEL, RECIPE]) {
        const { status, body, text } = await deploy({ name: 'lost' }, {}, path);
        expect({ status, keys: Object.keys(body) }).toEqual({ status: 500, keys: ['error'] });
        expect(text).not.toContain(api.dataDir);
        expect(text).not.toMatch(/ENOENT|ENOTDIR|EEXIST/);
      }
      expect(await names()).toEqual(['before']);
      expect(logged.mock.calls.join('')).toMatch(/ENOTDIR|EEXIST/);
    } finally {
      await rm(folder, { force: true });
      await rename(`${folder}-away`, folder);
      logged.mockRestore();
    }
    expect((await deploy({ name: 'lost' })).status).toBe(200);
    expect(await names()).toEqual(['lost', 'before']);
  });

  test('a folder in the place of a record is no endpoint, and is set aside by a deploy', async () => {
    const folder = join(api.dataDir, 'endpoints');
    const inTheWay = join(folder, 'endpoint-lab.blocked.json');
    await mkdir(inTheWay);
    expect(await names()).toEqual([]);
    expect((await deploy({ name: 'blocked' })).status).toBe(200);
    expect(await names()).toEqual(['blocked']);
    expect((await stat(inTheWay)).isFile()).toBe(true);
    expect(
      (await readdir(folder)).filter((name) => name.startsWith('endpoint-lab.blocked.json.damaged-')),
    ).toHaveLength(1);
  });
});
