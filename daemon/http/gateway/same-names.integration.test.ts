/** Endpoints of two namespaces with one name, in the real daemon: addresses, traffic, kept answers, events, a restart. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { AccessTokens } from '../../access/access-tokens.ts';
import type { EndpointDetail } from '../../contract/endpoints/endpoint.ts';
import { systemNow } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { newDataDir, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { createOwnFileEndpoint } from '../../testing/endpoints/own-file-endpoint.ts';
import { httpModelServer, type ModelServer } from '../../testing/gateway/model-server.ts';
import { writeLinkedLlamaServer } from '../../testing/models/llama-server-standin.ts';
import { writeTinyGguf } from '../../testing/models/tiny-gguf.ts';

let dataDir: string;
let daemon: TestDaemon;
let model: ModelServer;
let llamaServer: string;
let modelPath: string;
let headers: { readonly authorization: string };

beforeAll(async () => {
  let answers = 0;
  model = await httpModelServer((request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(request.url === '/health' ? {} : { answer: ++answers }));
  });
  dataDir = await newDataDir();
  llamaServer = await writeLinkedLlamaServer(dataDir, model.socketPath);
  modelPath = writeTinyGguf(join(dataDir, 'tiny.gguf'));
  daemon = await startTestDaemon({ dataDir, llamaServer });
  const tokens = new AccessTokens(join(dataDir, 'tokens.json'), { log: createLogger('error'), now: systemNow });
  const { text } = await tokens.create({ name: 'creator', scopes: ['deploy'], namespaces: null });
  headers = { authorization: `Bearer ${text}` };
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await model?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const create = (namespace: string) =>
  createOwnFileEndpoint(daemon.url, headers, {
    ...{
      namespace,
      name: 'chat',
      modelPath,
      type: 'public',
      tags: [namespace],
      cacheHttpResponses: namespace === 'lab',
    },
  });
const own = async (namespace: string) => (await daemon.get(`/api/endpoints/${namespace}/chat`)).body as EndpointDetail;
const until = (namespace: string, state: string) =>
  vi.waitFor(async () => expect((await own(namespace)).endpoint.status.state).toBe(state), { timeout: 30_000 });
const answer = async (namespace: string) => {
  const response = await fetch(`${daemon.url}/endpoints/${namespace}/chat/v1/models`);
  return { status: response.status, cache: response.headers.get('x-cache'), body: await response.text() };
};
const command = (namespace: string, method: string, path = '') =>
  fetch(`${daemon.url}/v2/endpoint/${namespace}/chat${path}`, { method, headers });

test('each serves at its address, with its own traffic and its own kept answers', async () => {
  await Promise.all(['lab', 'home'].map(create));
  const answered = [await answer('lab'), await answer('home'), await answer('lab'), await answer('home')];
  expect(answered.map(({ status, cache }) => [status, cache])).toEqual([
    [200, null],
    [200, null],
    [200, 'HIT'],
    [200, null],
  ]);
  expect(new Set(answered.map(({ body }) => body)).size).toBe(3);
  await vi.waitFor(async () => expect((await own('home')).traffic).toMatchObject({ requests: 2, cacheHits: 0 }));
  expect((await own('lab')).traffic).toMatchObject({ requests: 2, cacheHits: 1 });
  const pids = (await Promise.all(['lab', 'home'].map(own))).map(({ report }) => report.replicas[0]?.pid);
  expect(new Set(pids).size).toBe(2);
});

test('a pause and a delete of one leave the other, also after a restart of the daemon', async () => {
  expect((await command('home', 'POST', '/pause')).status).toBe(200);
  await until('home', 'paused');
  expect([(await answer('home')).status, (await answer('lab')).status]).toEqual([503, 200]);
  await daemon[Symbol.asyncDispose]();
  daemon = await startTestDaemon({ dataDir, llamaServer });
  expect([(await own('lab')).endpoint.tags, (await own('home')).endpoint.tags]).toEqual([['lab'], ['home']]);
  expect([(await answer('home')).status, (await answer('lab')).status]).toEqual([503, 200]);
  expect((await command('home', 'DELETE')).status).toBe(200);
  expect([(await answer('home')).status, (await answer('lab')).status]).toEqual([404, 200]);
  await create('home');
  expect((await answer('home')).status).toBe(200);
  expect((await own('home')).traffic.requests).toBe(1);
});
