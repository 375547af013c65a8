/** The cache in the real daemon: what its answers outlive, and what ends them. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccessTokens } from '../../access/access-tokens.ts';
import { systemNow } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { newDataDir, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { type EndpointClient, endpointClient } from '../../testing/endpoints/endpoint-client.ts';
import { createOwnFileEndpoint } from '../../testing/endpoints/own-file-endpoint.ts';
import { httpModelServer, type ModelServer } from '../../testing/gateway/model-server.ts';
import { writeLinkedLlamaServer } from '../../testing/models/llama-server-standin.ts';
import { writeTinyGguf } from '../../testing/models/tiny-gguf.ts';

let dataDir: string;
let daemon: TestDaemon;
let model: ModelServer;
let headers: { readonly authorization: string };
let endpoint: EndpointClient;

beforeAll(async () => {
  let count = 0;
  model = await httpModelServer((request, response) => {
    if (request.url === '/health') return void response.end('ok');
    count += 1;
    response.end(JSON.stringify({ count }));
  });
  dataDir = await newDataDir();
  const llamaServer = await writeLinkedLlamaServer(dataDir, model.socketPath);
  daemon = await startTestDaemon({ dataDir, llamaServer });
  const tokens = new AccessTokens(join(dataDir, 'tokens.json'), { log: createLogger('error'), now: systemNow });
  const { text } = await tokens.create({ name: null, scopes: ['deploy'], namespaces: null });
  headers = { authorization: `Bearer ${text}` };
  endpoint = endpointClient(daemon.url, text, 'cached');
  await create();
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await model?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function create() {
  const modelPath = writeTinyGguf(join(dataDir, 'tiny.gguf'));
  await createOwnFileEndpoint(daemon.url, headers, {
    ...{ name: 'cached', type: 'authenticated', modelPath, cacheHttpResponses: true },
  });
  await endpoint.until('running');
}

async function change(body: object) {
  const init = {
    method: 'PUT',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
  const answer = await fetch(`${daemon.url}/v2/endpoint/lab/cached`, init);
  expect({ status: answer.status, text: await answer.text() }).toMatchObject({ status: 200 });
  await endpoint.until('running');
}

/** @returns the number of the answer, and whether the cache sent it */
async function ask(body: object = {}) {
  const answer = await endpoint.ask('/v1/embeddings', { method: 'POST', body: JSON.stringify(body) });
  const { count } = (await answer.json()) as { readonly count?: number };
  return [answer.status, count, answer.headers.get('x-cache')];
}

test('kept answers outlive sleep and scaling, but no change of the model, no pause and no other endpoint of the name', async () => {
  expect(await ask()).toEqual([200, 1, null]);
  expect(await ask()).toEqual([200, 1, 'HIT']);
  expect(
    (await endpoint.ask('/v1/embeddings', { method: 'POST', body: '{}', headers: { authorization: '' } })).status,
  ).toBe(401);

  await endpoint.command('scale-to-zero');
  await endpoint.until('scaledToZero');
  expect(await ask()).toEqual([200, 1, 'HIT']);
  expect((await endpoint.get()).status.state).toBe('scaledToZero');
  expect((await endpoint.own()).traffic).toMatchObject({ requests: 3, cacheHits: 2, inFlight: 0 });
  expect((await endpoint.own()).report.unused).toEqual([]);
  expect(await ask({ input: 'unknown' })).toEqual([200, 2, null]); // wakes it
  await endpoint.until('running');

  await change({ compute: { scaling: { scaleToZeroTimeout: 30 } } });
  expect(await ask()).toEqual([200, 1, 'HIT']);
  await change({ model: { env: { LLAMA_SEED: '7' } } });
  expect(await ask()).toEqual([200, 3, null]);

  await endpoint.command('pause');
  expect((await ask())[0]).toBe(503);
  await endpoint.command('resume');
  await endpoint.until('running');
  expect(await ask()).toEqual([200, 4, null]);

  await change({ cacheHttpResponses: false });
  expect(await ask()).toEqual([200, 5, null]);
  await change({ cacheHttpResponses: true });
  expect(await ask()).toEqual([200, 6, null]);

  expect((await endpoint.remove()).status).toBe(200);
  await create();
  expect(await ask()).toEqual([200, 7, null]);
  expect(await ask()).toEqual([200, 7, 'HIT']);
});
