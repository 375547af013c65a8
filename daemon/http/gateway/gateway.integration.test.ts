/** The gateway in the real daemon: its place among guard, door and routes, and who may use an endpoint. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccessTokens } from '../../access/access-tokens.ts';
import { NO_CHAT_TEMPLATE } from '../../contract/endpoints/chat-template.ts';
import type { EndpointDetail, EndpointType } from '../../contract/endpoints/endpoint.ts';
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
const bearers: Record<string, string> = {};
beforeAll(async () => {
  model = await httpModelServer((request, response) => void response.end(request.url));
  dataDir = await newDataDir();
  const llamaServer = await writeLinkedLlamaServer(dataDir, model.socketPath);
  daemon = await startTestDaemon({ dataDir, host: '0.0.0.0', llamaServer });
  const tokens = new AccessTokens(join(dataDir, 'tokens.json'), { log: createLogger('error'), now: systemNow });
  const create = async (name: string, scope: string, namespaces: string[] | null = null) => {
    bearers[name] = `Bearer ${(await tokens.create({ name, scopes: [scope], namespaces })).text}`;
  };
  await create('creator', 'deploy');
  await create('lab', 'deploy', ['lab']);
  await create('home', 'deploy', ['home']);
  await create('one', 'endpoint:lab/authenticated');
  await create('daemon', 'daemon');
  const modelPath = writeTinyGguf(join(dataDir, 'tiny.gguf'));
  for (const type of ['public', 'authenticated', 'private'] satisfies EndpointType[]) {
    const headers = { authorization: bearers['creator'] as string };
    await createOwnFileEndpoint(daemon.url, headers, { name: type, type, modelPath });
  }
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await model?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Sends headers that fetch does not allow. */
async function ask(path: string, headers: Record<string, string> = {}, method = 'GET', url = daemon.url) {
  const { hostname, port } = new URL(url);
  const request = httpRequest({ hostname, port, path, method, headers, agent: false }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode as number, headers: response.headers, text };
}
const codeOf = (text: string) => JSON.parse(text).error.code;

test('each caller uses the endpoints that it may, and learns why not', async () => {
  const rows: Record<string, readonly [number, number, number]> = {
    nobody: [200, 401, 401],
    unknown: [200, 401, 401],
    creator: [200, 200, 200],
    lab: [200, 200, 404],
    home: [200, 403, 404],
    one: [200, 200, 404],
    daemon: [200, 403, 404],
  };
  bearers['unknown'] = 'Bearer rd_unknown';
  for (const [name, statuses] of Object.entries(rows)) {
    const authorization = bearers[name];
    const headers = authorization ? { authorization } : {};
    const answers = await Promise.all(
      ['public', 'authenticated', 'private'].map((endpoint) => ask(`/endpoints/lab/${endpoint}/v1`, headers)),
    );
    expect({ name, statuses: answers.map(({ status }) => status) }).toEqual({ name, statuses });
    for (const { status, headers: answered, text } of answers) {
      expect(answered['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
      if (status === 200) expect(text).toBe('/v1');
      else expect(JSON.parse(text)).toMatchObject({ error: { message: expect.any(String), code: expect.any(String) } });
    }
  }
});

test('an endpoint is found by both its names, and an unknown one answers like a private one of others', async () => {
  const headers = { authorization: bearers['lab'] as string };
  const unknown = await ask('/endpoints/lab/nothing/v1', headers);
  const others = await ask('/endpoints/lab/private/v1', headers);
  expect(others.text.replace('private', 'nothing')).toBe(unknown.text);
  for (const path of [
    '/endpoints/home/public',
    '/endpoints/lab/public%2F',
    '/endpoints/lab',
    '/endpoints/lab%2Fpublic',
  ]) {
    const answer = await ask(path, headers);
    expect({ path, status: answer.status, code: codeOf(answer.text) }).toEqual({
      path,
      status: 404,
      code: 'endpoint_not_found',
    });
  }
});

test('the cookie of the dashboard counts for its own page only', async () => {
  const { name, value } = daemon.newSessionCookie();
  const cookie = `${name}=${value}`;
  const own = { cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
  const { host } = new URL(daemon.url);
  for (const endpoint of ['authenticated', 'private']) {
    const at = (headers: Record<string, string>) =>
      ask(`/endpoints/lab/${endpoint}/v1`, headers).then(({ status }) => status);
    expect(await at(own)).toBe(200);
    expect(await at({ cookie, origin: `http://${host}` })).toBe(200);
    expect(await at({ cookie })).toBe(401);
    expect(await at({ ...own, 'sec-fetch-site': 'none' })).toBe(401);
    expect(await at({ ...own, authorization: 'Bearer rd_unknown' })).toBe(401);
    for (const site of ['cross-site', 'same-site']) expect(await at({ ...own, 'sec-fetch-site': site })).toBe(403);
    for (const origin of ['null', 'http://evil.test']) expect(await at({ ...own, origin })).toBe(403);
  }
});

test('an endpoint shows no page, and allows no page of another site, though it is public', async () => {
  const path = '/endpoints/lab/public/v1';
  for (const destination of [
    'document',
    'iframe',
    'script',
    'image',
    'worker',
    'serviceworker',
    'style',
    'object',
    '',
  ]) {
    const answer = await ask(path, { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': destination });
    expect({ destination, status: answer.status }).toEqual({ destination, status: 403 });
  }
  const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  for (const site of ['none', 'cross-site', 'same-origin']) {
    expect((await ask(path, { ...navigation, 'sec-fetch-site': site })).status).toBe(403);
  }
  const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
  for (const origin of ['http://evil.test', `http://${new URL(daemon.url).host}`, 'null']) {
    const { status, headers } = await ask(path, { ...preflight, origin }, 'OPTIONS');
    expect(status).toBe(403);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
  const rebound = await ask(path, { host: 'evil.test' });
  expect([rebound.status, codeOf(rebound.text)]).toEqual([403, 'forbidden']);
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'QUERY'])
    expect((await ask(path, {}, method)).status).toBe(200);
  expect((await ask(path, {}, 'TRACE')).status).toBe(405);
});

test('neither dot segments nor an absolute target lead from an endpoint to a route, nor the other way', async () => {
  const headers = { authorization: bearers['creator'] as string };
  for (const rest of ['../../../api/apps/list', '%2e%2e/private', 'x/..%2f..%2fprivate', '..\\..\\private']) {
    expect((await ask(`/endpoints/lab/public/${rest}`, headers)).status, rest).toBe(400);
  }
  for (const path of [
    '/api/../endpoints/lab/public',
    '/api/%2e%2e/endpoints/lab/public',
    `${daemon.url}/endpoints/lab/public`,
  ]) {
    expect((await ask(path, headers)).status, path).toBe(404);
  }
});

test('a model without a chat template says so, and answers 400 to a chat, also while it sleeps', async () => {
  const headers = { authorization: bearers['creator'] as string, 'content-type': 'application/json' };
  const modelPath = writeTinyGguf(join(dataDir, 'base.gguf'), { chatTemplate: null });
  await createOwnFileEndpoint(daemon.url, { authorization: headers.authorization }, { name: 'base', modelPath });
  const post = (path: string) => ask(`/endpoints/lab/base${path}`, headers, 'POST');
  expect(await post('/v1/completions')).toMatchObject({ status: 200, text: '/v1/completions' });
  const own = async () => JSON.parse((await ask('/api/endpoints/lab/base', headers)).text) as EndpointDetail;
  const { reasons, report, endpoint } = await own();
  expect([endpoint.status.state, reasons, report.lacksChatTemplate]).toEqual(['running', [NO_CHAT_TEMPLATE], true]);
  expect(await post('/v1/chat/completions')).toMatchObject({
    status: 400,
    text: expect.stringContaining('"no_chat_template"'),
  });
  expect((await ask('/v2/endpoint/lab/base/scale-to-zero', headers, 'POST')).status).toBe(200);
  expect((await post('/v1/responses')).status).toBe(400);
  expect((await own()).endpoint.status.state).toBe('scaledToZero');
  expect((await ask('/endpoints/lab/public/v1/chat/completions', headers, 'POST')).status).toBe(200);
});

test('an offer of HTTP/2 is answered in HTTP/1.1', async () => {
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
  expect(await ask('/endpoints/lab/public/v1/models', headers)).toMatchObject({ status: 200, text: '/v1/models' });
  expect((await ask('/api/daemon/status', headers)).status).toBe(200);
});

test('an upgrade is refused with a reason', async () => {
  const { hostname, port, host } = new URL(daemon.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.write(
    `GET /endpoints/lab/public/v1 HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  await once(socket, 'close');
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(codeOf(text.slice(text.indexOf('\r\n\r\n')))).toBe('upgrade_refused');
});

test('over the network address of this machine the same rules hold', async (context) => {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const address = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  if (address === undefined) return context.skip('this machine has no other address than loopback');
  const url = `http://${address}:${new URL(daemon.url).port}`;
  const at = (endpoint: string, headers: Record<string, string> = {}) =>
    ask(`/endpoints/lab/${endpoint}`, headers, 'GET', url).then(({ status }) => status);
  expect([await at('public'), await at('authenticated'), await at('private')]).toEqual([200, 401, 401]);
  expect(await at('private', { authorization: bearers['creator'] as string })).toBe(200);
});
