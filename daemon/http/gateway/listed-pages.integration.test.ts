/** Pages of other origins at the gateway of the real daemon: those that an endpoint lists, and those that it does not. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccessTokens } from '../../access/access-tokens.ts';
import { systemNow } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { newDataDir, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { createOwnFileEndpoint } from '../../testing/endpoints/own-file-endpoint.ts';
import { httpModelServer, type ModelServer } from '../../testing/gateway/model-server.ts';
import { writeLinkedLlamaServer } from '../../testing/models/llama-server-standin.ts';
import { writeTinyGguf } from '../../testing/models/tiny-gguf.ts';

const SITE = 'http://localhost:5173';
const OTHER = 'http://localhost:5174';
const CHAT = '/endpoints/lab/chat/v1/chat/completions';

let dataDir: string;
let daemon: TestDaemon;
let model: ModelServer;
let authorization: string;

beforeAll(async () => {
  model = await httpModelServer((request, response) => {
    if (request.url === '/v1/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      response.end('data: [DONE]\n\n');
    } else response.end(request.url);
  });
  dataDir = await newDataDir();
  const llamaServer = await writeLinkedLlamaServer(dataDir, model.socketPath);
  daemon = await startTestDaemon({ dataDir, llamaServer });
  const tokens = new AccessTokens(join(dataDir, 'tokens.json'), { log: createLogger('error'), now: systemNow });
  authorization = `Bearer ${(await tokens.create({ name: null, scopes: ['deploy'], namespaces: null })).text}`;
  const modelPath = writeTinyGguf(join(dataDir, 'tiny.gguf'));
  const create = (name: string, more: object) =>
    createOwnFileEndpoint(daemon.url, { authorization }, { name, modelPath, ...more });
  await create('chat', { type: 'authenticated', allowedOrigins: [SITE], cacheHttpResponses: true });
  await create('mine', { type: 'private', allowedOrigins: [SITE] });
  await create('other', { type: 'authenticated' });
  await create('open', { type: 'public', allowedOrigins: ['*'] });
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await model?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Sends headers that fetch does not allow. */
async function ask(path: string, headers: Record<string, string>, method = 'GET', body?: object) {
  const { hostname, port } = new URL(daemon.url);
  const request = httpRequest({ hostname, port, path, method, headers, agent: false });
  request.end(body && JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode as number, headers: response.headers, text };
}
/** The headers for a page of another origin. */
const corsOf = ({ headers }: { readonly headers: IncomingMessage['headers'] }) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
const readable = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': '*',
});
const preflightOf = (origin: string) => ({
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
});
const change = async (name: string, body: object) =>
  ask(`/v2/endpoint/lab/${name}`, { authorization, 'content-type': 'application/json' }, 'PUT', body);

test('a preflight is answered without a token for a listed origin only', async () => {
  const answer = await ask(CHAT, preflightOf(SITE), 'OPTIONS');
  expect({ status: answer.status, cors: corsOf(answer), vary: answer.headers.vary, text: answer.text }).toEqual({
    status: 204,
    cors: {
      ...readable(SITE),
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': '*, Authorization',
      'access-control-max-age': '600',
    },
    vary: 'Origin',
    text: '',
  });
  for (const origin of [OTHER, 'http://localhost:51730', 'https://localhost:5173', 'http://127.0.0.1:5173', 'null']) {
    const refused = await ask(CHAT, preflightOf(origin), 'OPTIONS');
    expect({ origin, status: refused.status, cors: corsOf(refused) }).toEqual({ origin, status: 403, cors: {} });
  }
});

test('a listed page reads answers, streams, answers of the cache and refusals, as a token allows', async () => {
  const page = { origin: SITE, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
  const seen = async (path: string, headers: Record<string, string>) => {
    const answer = await ask(path, { ...page, ...headers });
    return [answer.status, answer.headers['x-cache'], corsOf(answer), answer.headers.vary];
  };
  const [cors, vary] = [readable(SITE), 'Origin'];
  expect(await seen('/endpoints/lab/chat/v1/models', { authorization })).toEqual([200, undefined, cors, vary]);
  expect(await seen('/endpoints/lab/chat/v1/models', { authorization })).toEqual([200, 'HIT', cors, vary]);
  expect(await seen('/endpoints/lab/chat/v1/stream', { authorization })).toEqual([200, undefined, cors, vary]);
  expect(await seen('/endpoints/lab/chat/v1/models', {})).toEqual([401, undefined, cors, vary]);
  expect(await seen('/endpoints/lab/mine', { authorization: 'Bearer rd_wrong' })).toEqual([401, undefined, cors, vary]);
  expect(await seen('/endpoints/lab/chat/a/../b', { authorization })).toEqual([400, undefined, {}, vary]);
  const own = await ask('/endpoints/lab/chat/v1/models', { authorization });
  expect([own.status, own.headers['x-cache'], corsOf(own)]).toEqual([200, 'HIT', {}]);
});

test('a paused endpoint says so to its page, with the time to wait where there is one', async () => {
  await ask('/v2/endpoint/lab/mine/pause', { authorization }, 'POST');
  const answer = await ask('/endpoints/lab/mine/v1', { origin: SITE, authorization });
  expect([answer.status, corsOf(answer), answer.headers['x-should-retry']]).toEqual([503, readable(SITE), 'false']);
});

test('the cookie of the dashboard never counts for a listed page', async () => {
  const { name, value } = daemon.newSessionCookie();
  const cookie = `${name}=${value}`;
  for (const more of [{}, { 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'cross-site' }]) {
    const answer = await ask(CHAT, { origin: SITE, cookie, ...more });
    expect({ more, status: answer.status }).toEqual({ more, status: 401 });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  }
});

test('an origin that is not listed gets 403 with a sentence on how to list it, also where no endpoint is', async () => {
  const sentence = (origin: string, name: string) =>
    `Pages of ${origin} may not use this endpoint. Its owner can list this origin: on the page of the endpoint in the dashboard, under Settings, "Pages that may use it", or as "allowedOrigins" with PUT /v2/endpoint/lab/${name}.`;
  for (const [origin, name] of [
    [OTHER, 'chat'],
    [SITE, 'other'],
    [SITE, 'nothing'],
  ] as const) {
    const answer = await ask(`/endpoints/lab/${name}/v1`, { origin, authorization });
    expect([answer.status, corsOf(answer), JSON.parse(answer.text).error.message]).toEqual([
      ...[403, {}, sentence(origin, name)],
    ]);
  }
});

test('a page without an origin gets the advice to be served at an address', async () => {
  const answer = await ask(CHAT, preflightOf('null'), 'OPTIONS');
  expect([answer.status, JSON.parse(answer.text).error.message]).toEqual([
    403,
    'A page without an origin may not use this endpoint. Browsers send null for files and sandboxed frames. Serve the page at an address, such as http://localhost:5173.',
  ]);
});

test('a listed origin reaches nothing else: not the daemon’s own interface, and by no other name', async () => {
  for (const path of ['/api/apps/list', '/v2/endpoint/lab', '/', '/endpointsx', '/api/../endpoints/lab/chat']) {
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await ask(path, { ...preflightOf(SITE), authorization }, method);
      expect({ path, status: answer.status, cors: corsOf(answer) }).toEqual({ path, status: 403, cors: {} });
    }
  }
  const rebound = await ask(CHAT, { ...preflightOf(SITE), host: 'evil.test' }, 'OPTIONS');
  expect([rebound.status, corsOf(rebound)]).toEqual([403, {}]);
  expect((await ask(CHAT, { 'sec-fetch-site': 'same-site', authorization })).status).toBe(403); // a request without CORS
});

test('a page of a private endpoint is listed on this machine only: elsewhere the endpoint does not exist', async () => {
  const elsewhere = { 'x-forwarded-for': '198.51.100.7' };
  const status = async (headers: object) =>
    (await ask('/endpoints/lab/mine/v1', { ...preflightOf(SITE), ...headers }, 'OPTIONS')).status;
  expect([await status({}), await status(elsewhere)]).toEqual([204, 403]);
});

test('with *, every page may use a public endpoint, and gets its own origin', async () => {
  for (const origin of ['https://any.example', 'null']) {
    const answer = await ask('/endpoints/lab/open/v1', { origin });
    expect([answer.status, corsOf(answer)]).toEqual([200, readable(origin)]);
  }
});

test('a change of the list applies to the next request, restarts nothing, and is kept', async () => {
  const listed = await change('chat', { allowedOrigins: [SITE, OTHER.toUpperCase()] });
  expect([listed.status, JSON.parse(listed.text)]).toEqual([
    200,
    expect.objectContaining({ allowedOrigins: [SITE, OTHER], status: expect.objectContaining({ state: 'running' }) }),
  ]);
  expect((await ask(CHAT, preflightOf(OTHER), 'OPTIONS')).status).toBe(204);
  await change('chat', { allowedOrigins: [SITE] });
  expect((await ask(CHAT, preflightOf(OTHER), 'OPTIONS')).status).toBe(403);
  const refused = await change('chat', { allowedOrigins: ['*'] });
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
    400,
    { issues: [{ path: ['allowedOrigins', 0] }] },
  ]);
});
