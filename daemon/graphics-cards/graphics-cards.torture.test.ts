/** Models on a graphics card: the real daemon, the real runner, and Mesa's software driver as the card. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AccessTokens } from '../access/access-tokens.ts';
import type { EndpointDetail } from '../contract/endpoints/endpoint.ts';
import { systemNow } from '../shared/clock.ts';
import { createLogger } from '../shared/logger.ts';
import { newDataDir, startTestDaemon, type TestDaemon } from '../testing/daemon/test-daemon.ts';
import { endpointClient } from '../testing/endpoints/endpoint-client.ts';
import { createOwnFileEndpoint } from '../testing/endpoints/own-file-endpoint.ts';
import { type FakeHub, startFakeHub } from '../testing/fake-hub.ts';
import { noSoftwareCard, shareShaderCache, softwareCard } from '../testing/models/software-card.ts';
import { someModel } from '../testing/models/some-models.ts';
import { tinyGguf, writeTinyGguf } from '../testing/models/tiny-gguf.ts';

/** The driver compiles for a minute and more when its cache is new. */
const READY_MS = 8 * 60_000;

if (noSoftwareCard !== null) console.warn(`SKIPPED: models on a graphics card, since ${noSoftwareCard}`);

describe.skipIf(noSoftwareCard !== null)('on a graphics card', { timeout: READY_MS }, () => {
  let dataDir: string;
  let daemon: TestDaemon;
  let hub: FakeHub;
  let token: string;
  let modelPath: string;
  const before = { ...process.env };

  beforeAll(async () => {
    Object.assign(process.env, softwareCard);
    dataDir = await newDataDir();
    shareShaderCache(dataDir);
    hub = await startFakeHub();
    await hub.addModel({ id: 'ada/Large-GGUF', files: { 'large-q4.gguf': { lfs: tinyGguf() } } });
    daemon = await startTestDaemon({ dataDir, hubUrl: hub.url, catalogFile: await writeCatalog(dataDir) });
    const tokens = new AccessTokens(join(dataDir, 'tokens.json'), { log: createLogger('error'), now: systemNow });
    token = (await tokens.create({ name: 'all', scopes: ['deploy'], namespaces: null })).text;
    modelPath = writeTinyGguf(join(dataDir, 'tiny.gguf'));
  });
  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]();
    await hub?.[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
    process.env = before;
  });

  async function endpoint(name: string, accelerator: 'cpu' | 'gpu', image: object = {}, file = modelPath) {
    const headers = { authorization: `Bearer ${token}` };
    await createOwnFileEndpoint(daemon.url, headers, { name, modelPath: file, image, accelerator });
    const client = endpointClient(daemon.url, token, name);
    await client.until('running', READY_MS);
    return client;
  }

  async function detailOf(name: string): Promise<EndpointDetail> {
    return daemon.call('getOwnEndpoint', { params: { namespace: 'lab', name } });
  }

  async function ask(method: string, path: string, body: object = {}): Promise<unknown> {
    const headers = { authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const url = `${daemon.url}/api/graphics-cards${path}`;
    return (await fetch(url, { method, headers, body: JSON.stringify(body) })).json();
  }

  async function deploy(name: string, more: object = {}) {
    const headers = { authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ namespace: 'lab', config: { name }, ...more });
    const url = `${daemon.url}/api/v1/catalog/model/ada/Large-GGUF/deploy`;
    expect(await fetch(url, { method: 'POST', headers, body })).toMatchObject({ status: 200 });
    const client = endpointClient(daemon.url, token, name);
    await client.until('running', READY_MS);
    return client;
  }

  async function choicesOf(name: string): Promise<object[]> {
    const reply = await endpointClient(daemon.url, token, name).chat();
    return ((await reply.json()) as { choices: object[] }).choices;
  }

  test('it is listed, with its memory', async () => {
    expect(await daemon.call('listGraphicsCards')).toMatchObject({
      ...{ isOn: true, problem: null, canTryAgain: false },
      cards: [{ index: 0, name: expect.stringContaining('llvmpipe'), api: 'vulkan', driver: 'llvmpipe', users: [] }],
    });
  });

  test('a chat on it answers as on the processor, with all layers on it', async () => {
    const onCard = await endpoint('on-card', 'gpu', { ctxSize: 256 });
    const onProcessor = await endpoint('on-processor', 'cpu', { ctxSize: 256 });
    expect(await choicesOf('on-card')).toEqual(await choicesOf('on-processor'));
    const own = await onCard.own();
    expect(own.report).toMatchObject({
      notOnCard: null,
      replicas: [{ cardUse: { layers: 3, totalLayers: 3, card: expect.stringContaining('llvmpipe') } }],
    });
    expect((await onProcessor.own()).report.replicas).toMatchObject([{ cardUse: null }]);
    expect((await daemon.call('listGraphicsCards')).cards[0]?.users).toMatchObject([{ name: 'on-card' }]);
  });

  test('so many layers as are asked for are on it, the others on the processor', async () => {
    const client = await endpoint('partly', 'gpu', { ctxSize: 256, nGpuLayers: 1 });
    const choices = await choicesOf('partly');
    expect((await client.own()).report.replicas).toMatchObject([{ cardUse: { layers: 1, totalLayers: 3 } }]);
    expect(choices).toEqual(await choicesOf('on-processor'));
    await client.remove();
  });

  test('embeddings and ranks are those of the processor, within rounding', async () => {
    const ask = async (name: string, accelerator: 'cpu' | 'gpu', image: object, path: string, body: object) => {
      const file = image === ranks ? reranker : modelPath;
      const client = await endpoint(name, accelerator, image, file);
      const reply = (await (await client.ask(path, { method: 'POST', body: JSON.stringify(body) })).json()) as {
        data?: { embedding: number[] }[];
        results?: { relevance_score: number }[];
      };
      await client.remove();
      return [...(reply.data?.[0]?.embedding ?? []), ...(reply.results ?? []).map((each) => each.relevance_score)];
    };
    const reranker = writeTinyGguf(join(dataDir, 'ranks.gguf'), { isReranker: true });
    const ranks = { mode: 'reranking' };
    const documents = ['It waves.', 'It sleeps.', 'A cup of tea.'];
    for (const [image, path, body, least] of [
      [{ mode: 'embeddings' }, '/v1/embeddings', { input: 'The robot waves.' }, 9],
      [ranks, '/v1/rerank', { query: 'The robot waves.', documents }, 3],
    ] as const) {
      const [first, second] = [
        await ask(`${image.mode}-on-card`, 'gpu', image, path, body),
        await ask(`${image.mode}-on-processor`, 'cpu', image, path, body),
      ];
      expect([first.length, second.length]).toEqual([expect.toSatisfy((n) => n >= least), first.length]);
      for (const [index, value] of first.entries()) expect(value).toBeCloseTo(second[index] as number, 3);
    }
  });

  test('two that start at once count the memory one after the other, and the second one says that it waits', async () => {
    const details: (string | null)[] = [];
    const made = Promise.all([
      endpoint('twin-one', 'gpu', { ctxSize: 256 }),
      endpoint('twin-two', 'gpu', { ctxSize: 256 }),
    ]);
    let isReady = false;
    void made.finally(() => {
      isReady = true;
    });
    while (!isReady) {
      for (const name of ['twin-one', 'twin-two']) {
        const own = await endpointClient(daemon.url, token, name)
          .own()
          .catch(() => null);
        details.push(own?.report.progress?.detail ?? null);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const twins = await made;
    expect(details).toContain('It waits until another model is loaded on the graphics card.');
    const users = (await daemon.call('listGraphicsCards')).cards[0]?.users.map(({ name }) => name);
    expect(users).toEqual(expect.arrayContaining(['twin-one', 'twin-two']));
    for (const twin of twins) await twin.remove();
  });

  test.each([{ nGpuLayers: -1 }, { nGpuLayers: 1.5 }, { nGpuLayers: 1e12 }, { mainGpu: -1 }, { mainGpu: 0.5 }])(
    'a number that is none of layers or of a card is refused: %j',
    async (image) => {
      await expect(endpoint('refused', 'gpu', image)).rejects.toThrow(Object.keys(image)[0]);
    },
  );

  test('more layers than the model has are all of them', async () => {
    const client = await endpoint('many', 'gpu', { ctxSize: 256, nGpuLayers: 1_000_000_000 });
    expect((await client.own()).report.replicas).toMatchObject([{ cardUse: { layers: 3, totalLayers: 3 } }]);
    await client.remove();
  });

  test('a card that is not there is refused by its number', async () => {
    await expect(endpoint('elsewhere', 'gpu', { mainGpu: 7 })).rejects.toThrow('There is no graphics card 7');
  });

  test('a context that the driver does not take fails with the reason, and the processor is not used unasked', async () => {
    const long = writeTinyGguf(join(dataDir, 'long.gguf'), { contextLength: 16_000_000 });
    const made = endpoint('too-large', 'gpu', { ctxSize: 16_000_000, nParallel: 1 }, long);
    await expect(made).rejects.toThrow('larger than the graphics driver takes');
    const { report } = await endpointClient(daemon.url, token, 'too-large').own();
    expect(report.failure).toMatchObject({ reason: 'no-card-memory' });
    expect((await daemon.call('listGraphicsCards')).canTryAgain).toBe(false);
  });

  test('a driver that dies in the middle of an answer is left alone until someone tries it again', async () => {
    const client = endpointClient(daemon.url, token, 'on-card');
    const [replica] = (await client.own()).report.replicas;
    const answer = client.chat({ max_tokens: 200 }).catch((error: Error) => error);
    process.kill(replica?.pid as number, 'SIGSEGV');
    await answer;
    await expect(client.until('scaledToZero')).rejects.toThrow(
      'The graphics driver ended the program that used it (SIGSEGV)',
    );
    expect((await client.own()).report.failure).toMatchObject({ reason: 'graphics-card' });
    expect(await daemon.call('listGraphicsCards')).toMatchObject({
      ...{ canTryAgain: true, problem: { kind: 'driver-crashed', message: expect.stringContaining('SIGSEGV') } },
    });
    await client.command('resume');
    await expect(client.until('running')).rejects.toThrow('SIGSEGV');
    expect(await ask('POST', '/try-again')).toMatchObject({ problem: null, canTryAgain: false });
    await client.command('resume');
    await client.until('running', READY_MS);
    expect(await choicesOf('on-card')).toEqual(await choicesOf('on-processor'));
  });

  test('switched off, none is used; switched on, it is again', async () => {
    expect(await ask('PUT', '', { isOn: false })).toMatchObject({ isOn: false });
    const client = endpointClient(daemon.url, token, 'on-card');
    await client.command('pause');
    await client.command('resume');
    await expect(client.until('running')).rejects.toThrow('switched off in Settings');
    expect(await ask('PUT', '', { isOn: true })).toMatchObject({ isOn: true, problem: null });
    await client.command('resume');
    await client.until('running', READY_MS);
  });

  test('a model of the catalog goes on on the processor when the driver dies, and says so', async () => {
    const client = await deploy('large');
    const [replica] = (await client.own()).report.replicas;
    expect(replica).toMatchObject({ cardUse: { layers: 3, totalLayers: 3 } });
    process.kill(replica?.pid as number, 'SIGSEGV');
    await vi.waitFor(async () => expect((await client.own()).report.notOnCard).not.toBeNull(), { timeout: 60_000 });
    await client.until('running', READY_MS);
    const { report, life } = await detailOf('large');
    expect(report).toMatchObject({
      notOnCard: { kind: 'driver-crashed', message: expect.stringContaining('SIGSEGV') },
      replicas: [{ cardUse: null }],
    });
    expect(life).toContainEqual(
      expect.objectContaining({ kind: 'placed', cause: expect.stringContaining('It runs on the processor.') }),
    );
    expect(await choicesOf('large')).toEqual(await choicesOf('on-processor'));

    await ask('POST', '/try-again');
    await client.command('pause');
    await client.command('resume');
    await client.until('running', READY_MS);
    expect(await detailOf('large')).toMatchObject({
      report: { notOnCard: null, replicas: [{ cardUse: { layers: 3 } }] },
      life: expect.arrayContaining([expect.objectContaining({ cause: 'It runs on the graphics card again.' })]),
    });
  });
});

/** A catalog with one model, which is large enough to be preferred on a graphics card. */
async function writeCatalog(folder: string): Promise<string> {
  const recipe = (accelerator: 'cpu' | 'gpu') =>
    ({ accelerator, engineType: 'llamacpp', ggufFile: 'large-q4.gguf', publicId: `large-${accelerator}` }) as const;
  const { item, facts } = someModel(
    { repoId: 'ada/Large-GGUF', recipes: [recipe('cpu'), recipe('gpu')] },
    {
      ...{ parameterCount: 1e9, weightBytes: { 'large-cpu': 400_000, 'large-gpu': 400_000 }, nativeDtype: 'gguf' },
      ...{ contextLength: 512, arch: { layers: 2, kvHeads: 2, headDim: 16, heads: 4 } },
    },
  );
  const file = join(folder, 'catalog.json');
  await writeFile(file, JSON.stringify([{ ...item, x: facts }]));
  return file;
}
