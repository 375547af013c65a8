/** Models on a graphics card: the real daemon, the real runner, and Mesa's software driver as the card. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccessTokens } from '../access/access-tokens.ts';
import { systemNow } from '../shared/clock.ts';
import { createLogger } from '../shared/logger.ts';
import { newDataDir, startTestDaemon, type TestDaemon } from '../testing/daemon/test-daemon.ts';
import { endpointClient } from '../testing/endpoints/endpoint-client.ts';
import { createOwnFileEndpoint } from '../testing/endpoints/own-file-endpoint.ts';
import { noSoftwareCard, shareShaderCache, softwareCard } from '../testing/models/software-card.ts';
import { writeTinyGguf } from '../testing/models/tiny-gguf.ts';

/** The driver compiles for a minute and more when its cache is new. */
const READY_MS = 8 * 60_000;

if (noSoftwareCard !== null) console.warn(`SKIPPED: models on a graphics card, since ${noSoftwareCard}`);

describe.skipIf(noSoftwareCard !== null)('on a graphics card', { timeout: READY_MS }, () => {
  let dataDir: string;
  let daemon: TestDaemon;
  let token: string;
  let modelPath: string;
  const before = { ...process.env };

  beforeAll(async () => {
    Object.assign(process.env, softwareCard);
    dataDir = await newDataDir();
    shareShaderCache(dataDir);
    daemon = await startTestDaemon({ dataDir, logLevel: 'warn' });
    const tokens = new AccessTokens(join(dataDir, 'tokens.json'), { log: createLogger('error'), now: systemNow });
    token = (await tokens.create({ name: 'all', scopes: ['deploy'], namespaces: null })).text;
    modelPath = writeTinyGguf(join(dataDir, 'tiny.gguf'));
  });
  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
    process.env = before;
  });

  async function endpoint(name: string, accelerator: 'cpu' | 'gpu', image: object = {}) {
    const headers = { authorization: `Bearer ${token}` };
    await createOwnFileEndpoint(daemon.url, headers, { name, modelPath, image, accelerator });
    const client = endpointClient(daemon.url, token, name);
    await client.until('running', READY_MS);
    return client;
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
    const texts = await Promise.all(
      [onCard, onProcessor].map(async (one) => ((await (await one.chat()).json()) as { choices: object[] }).choices),
    );
    expect(texts[0]).toEqual(texts[1]);
    const own = await onCard.own();
    expect(own.report).toMatchObject({
      notOnCard: null,
      replicas: [{ cardUse: { layers: 3, totalLayers: 3, card: expect.stringContaining('llvmpipe') } }],
    });
    expect((await onProcessor.own()).report.replicas).toMatchObject([{ cardUse: null }]);
    expect((await daemon.call('listGraphicsCards')).cards[0]?.users).toMatchObject([{ name: 'on-card' }]);
  });
});
