/** The gateway over real HTTP, with model servers that behave. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Backends } from '../../endpoints/replicas/backends.ts';
import { ChatTemplateMissing, EndpointUnavailable } from '../../endpoints/states/errors.ts';
import { CHAT, type GatewayServerOptions, startGateway } from '../../testing/gateway/gateway-server.ts';
import { httpModelServer, type ModelAnswer } from '../../testing/gateway/model-server.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { RequestSources } from '../security/request-sources.ts';
import type { GatewayEndpoint } from './admission.ts';
import { gatewayBounds } from './gateway.ts';

async function gatewayTo(answer: ModelAnswer, options?: GatewayServerOptions) {
  const model = await httpModelServer(answer);
  const served = await startGateway(model.socketPath, options);
  onTestFinished(async () => {
    await served[Symbol.asyncDispose]();
    await model.stop();
  });
  return { ...served, model };
}

/** Sends headers that fetch does not allow. */
async function ask(url: string, headers: Record<string, string>, method = 'GET', body?: string) {
  const request = httpRequest(url, { method, headers, agent: false });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

test('a request is forwarded as sent, without the headers that are nobody else’s', async () => {
  const { url, traffic } = await gatewayTo(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.rawHeaders, body }));
  });
  const sent = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'user-agent': 'test',
    'x-stainless-lang': 'js',
    'x-hop': '1',
    cookie: 'robot-session-1=secret',
    authorization: 'Bearer unknown',
    'x-api-key': 'secret',
    origin: 'http://127.0.0.1',
    referer: 'http://127.0.0.1/secret',
    'sec-fetch-site': 'same-origin',
    'sec-fetch-dest': 'empty',
    'sec-ch-ua': 'x',
    forwarded: 'for=1.2.3.4',
    'x-forwarded-for': '1.2.3.4',
    'x-real-ip': '1.2.3.4',
    via: '1.1 x',
    te: 'trailers',
    connection: 'keep-alive, accept',
    'proxy-authorization': 'x',
    'x-scale-up-timeout': '5',
    expect: '100-continue',
  };
  const answer = await ask(`${url}/v1/a%2Fb//c?q=%20&r=ü`.replace('ü', '%C3%BC'), sent, 'POST', '{"a":1}');
  expect(JSON.parse(answer.text)).toEqual({
    method: 'POST',
    url: '/v1/a%2Fb//c?q=%20&r=%C3%BC',
    headers: [
      ...['host', 'localhost', 'connection', 'keep-alive', 'content-type', 'application/json'],
      ...['user-agent', 'test', 'x-stainless-lang', 'js', 'content-length', '7'],
    ],
    body: '{"a":1}',
  });
  expect(JSON.parse((await ask(url, {})).text).url).toBe('/');
  expect(traffic.of(CHAT)).toMatchObject({ requests: 2, failed: 0, inFlight: 0, waiting: 0 });
});

test('an answer passes with the headers that do no harm, and with ours', async () => {
  const { url } = await gatewayTo((_request, response) => {
    response.writeHead(201, {
      ...{ 'content-type': 'text/html', etag: '"1"', 'openai-version': '1', 'x-ratelimit-limit-requests': '5' },
      ...{ 'set-cookie': ['a=1', 'b=2'], 'content-security-policy': "script-src 'unsafe-inline'" },
      ...{ 'content-security-policy-report-only': 'x', 'access-control-allow-origin': '*', link: '</x>; rel=preload' },
      ...{ 'access-control-allow-credentials': 'true', 'clear-site-data': '"*"', 'service-worker-allowed': '/' },
      ...{ refresh: '0;url=/', location: '/api', 'strict-transport-security': 'max-age=1', nel: '{}', sourcemap: '/x' },
      ...{ 'report-to': '{}', 'reporting-endpoints': 'a="/x"', 'alt-svc': 'h2=":1"', 'origin-agent-cluster': '?1' },
      ...{ 'www-authenticate': 'Basic', 'permissions-policy': 'camera=*', 'referrer-policy': 'unsafe-url' },
      ...{ 'cache-control': 'public, max-age=99', 'x-frame-options': 'ALLOWALL', 'cross-origin-resource-policy': 'x' },
      ...{ 'cross-origin-opener-policy': 'unsafe-none', 'x-content-type-options': 'x', 'timing-allow-origin': '*' },
      ...{ trailer: 'x-late', 'proxy-authenticate': 'Basic', 'speculation-rules': '"/x"', 'no-vary-search': 'params' },
    });
    response.write('<script>');
    response.addTrailers({ 'x-late': '1' });
    response.end();
  });
  const { status, headers, text } = await ask(url, {});
  const { date, ...fixed } = headers;
  expect({ status, text, date: typeof date }).toEqual({ status: 201, text: '<script>', date: 'string' });
  expect(fixed).toEqual({
    ...{ 'content-type': 'text/html', etag: '"1"', 'openai-version': '1', 'x-ratelimit-limit-requests': '5' },
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    ...{ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' },
    ...{ 'cache-control': 'no-store', 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' },
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=()',
    ...{ 'transfer-encoding': 'chunked', connection: 'close' },
  });
});

test('a streamed answer arrives piece by piece, and its end ends the request', async () => {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { url, traffic, backends } = await gatewayTo(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    await first.promise;
    response.write('data: 1\n\n');
    await second.promise;
    response.end('data: [DONE]\n\n');
  });
  const answer = await fetch(url);
  expect(answer.status).toBe(200); // before the first byte of the body
  expect(traffic.of(CHAT)).toMatchObject({ inFlight: 1, waiting: 0 });
  expect(backends.inUse).toBe(1);
  first.resolve();
  const chunks: string[] = [];
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
    chunks.push(Buffer.from(chunk).toString());
    second.resolve();
  }
  expect(chunks).toEqual(['data: 1\n\n', 'data: [DONE]\n\n']);
  await vi.waitFor(() => expect(backends.inUse).toBe(0));
  expect(traffic.of(CHAT)).toMatchObject({
    requests: 1,
    failed: 0,
    inFlight: 0,
    tokensPerSecond: expect.any(Number),
  });
});

test('a caller that goes away ends the work of the model server at once', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const { url, traffic, backends, gateway } = await gatewayTo((request, response) => {
    response.writeHead(200).write('x');
    request.socket.once('close', resolve);
  });
  const abort = new AbortController();
  const answer = await fetch(url, { signal: abort.signal });
  expect(answer.ok).toBe(true);
  abort.abort();
  await ended;
  await vi.waitFor(() => expect(gateway.load).toEqual({ requests: 0, bodyBytes: 0 }));
  expect(backends.inUse).toBe(0);
  expect(traffic.of(CHAT)).toMatchObject({ requests: 1, failed: 0, inFlight: 0, waiting: 0 });
});

test('a caller that leaves while its right is looked up keeps no place', async () => {
  const asked = Promise.withResolvers<void>();
  const caller = Promise.withResolvers<null>();
  const authenticate = () => {
    asked.resolve();
    return caller.promise;
  };
  const { url, gateway, server, backends } = await gatewayTo((_request, response) => void response.end(), {
    authenticate,
  });
  const abort = new AbortController();
  const init = { method: 'POST', body: '{}', headers: { authorization: 'Bearer x' }, signal: abort.signal };
  const left = expect(fetch(url, init)).rejects.toThrow();
  await asked.promise;
  const closed = new Promise((resolve) => server.once('connection', resolve));
  abort.abort();
  await left;
  await (await fetch(url.replace('/endpoints', '/none'))).text(); // another connection, after the end of the first
  await closed;
  caller.resolve(null);
  await nextTurn();
  expect([gateway.load, backends.inUse]).toEqual([{ requests: 0, bodyBytes: 0 }, 0]);
});

test('a request that leaves silent replicas again and again is not refused for it', async () => {
  let leaving = new AbortController();
  let asked = 0;
  const model = await httpModelServer((_request, response) => {
    asked += 1;
    if (asked <= 4) leaving.abort();
    else response.end('answered');
  });
  onTestFinished(() => model.stop());
  const excluded: number[] = [];
  const backends = {
    acquire: async (_endpoint, { exclude }) => {
      excluded.push(exclude?.size ?? 0);
      leaving = new AbortController();
      const calls = { answers: () => {}, openedSession: () => {}, release: () => {} };
      const { socketPath } = model;
      return { id: 'one', address: { socketPath }, healthRoute: '/health', lost: leaving.signal, ...calls };
    },
    peek: () => null,
  } satisfies Backends;
  const { url } = await gatewayTo(() => {}, { backends });
  expect(await (await fetch(url)).text()).toBe('answered');
  expect(excluded).toEqual([0, 0, 0, 0, 0]);
});

test('a caller that reads slowly slows the model server down', async () => {
  let sent = 0;
  const { url } = await gatewayTo(async (_request, response) => {
    const chunk = Buffer.alloc(64 * 1024);
    for (let at = 0; at < 1_024 && !response.destroyed; at++) {
      sent += chunk.length;
      if (!response.write(chunk)) await once(response, 'drain');
    }
    response.end();
  });
  const request = httpRequest(url, { agent: false }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.pause();
  // All of them run in this process: once nothing was sent in many of its turns, all of them wait for the caller.
  for (let before = -1; before !== sent; ) {
    before = sent;
    for (let turn = 0; turn < 100; turn++) await nextTurn();
  }
  expect(sent).toBeLessThan(16 * 1024 * 1024);
  let received = 0;
  response.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  response.resume();
  await once(response, 'end');
  expect(received).toBe(64 * 1024 * 1024);
});

test('HEAD, 204 and 304 have no body, and a length passes where there is one', async () => {
  const { url } = await gatewayTo((request, response) => {
    const status = Number(request.url?.slice(1)) || 200;
    response.writeHead(status, { 'content-length': status === 204 ? 0 : 5, 'content-type': 'text/plain' });
    response.end(status === 200 ? 'hello' : undefined);
  });
  expect(await ask(url, {}, 'HEAD')).toMatchObject({ status: 200, text: '', headers: { 'content-length': '5' } });
  expect(await ask(`${url}/204`, {})).toMatchObject({ status: 204, text: '' });
  expect(await ask(`${url}/304`, {})).toMatchObject({ status: 304, text: '' });
  expect(await ask(url, {})).toMatchObject({ text: 'hello', headers: { 'content-length': '5' } });
});

test('a body of 32 MB passes, a larger one is refused before the model server sees it', async () => {
  let received = 0;
  const { url, gateway, backends } = await gatewayTo(async (request, response) => {
    for await (const chunk of request) received += (chunk as Buffer).length;
    response.end(String(received));
  });
  const most = Buffer.alloc(32 * 1024 * 1024, 'a');
  expect(await (await fetch(url, { method: 'POST', body: most })).text()).toBe(String(most.length));
  expect(gateway.load).toEqual({ requests: 0, bodyBytes: 0 });
  const refusal = { message: 'The body is larger than 32 MB, the maximum.', param: null };
  for (const body of [Buffer.alloc(most.length + 1), new Blob([most, 'a']).stream()]) {
    const answer = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual({
      error: { ...refusal, type: 'invalid_request_error', code: 'body_too_large' },
    });
  }
  expect(backends.acquired).toHaveLength(1);
  expect(gateway.load).toEqual({ requests: 0, bodyBytes: 0 });
});

test('requests under way are bounded at an endpoint, and so is the memory for bodies', async () => {
  const { promise: wait, resolve } = Promise.withResolvers<void>();
  const { url, gateway } = await gatewayTo(
    async (_request, response) => {
      await wait;
      response.end();
    },
    { limits: { perEndpoint: 3, inAll: 10, bodyBytes: 1_000 } },
  );
  const underWay = [fetch(url, { method: 'POST', body: 'x'.repeat(900) }), fetch(url)];
  await vi.waitFor(() => expect(gateway.load).toEqual({ requests: 2, bodyBytes: 900 }));
  const tooMuch = await fetch(url, { method: 'POST', body: 'x'.repeat(200) });
  expect([tooMuch.status, tooMuch.headers.get('retry-after')]).toEqual([503, '1']);
  underWay.push(fetch(url));
  await vi.waitFor(() => expect(gateway.load.requests).toBe(3));
  const tooMany = await fetch(url);
  expect([tooMany.status, tooMany.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await tooMany.json()).toMatchObject({ error: { type: 'rate_limit_error' } });
  resolve();
  for (const answer of underWay) expect((await answer).status).toBe(200);
  expect((await fetch(url)).status).toBe(200);
});

test('a request waits for an endpoint that wakes, as long as it says', async () => {
  const { url, backends, model, traffic } = await gatewayTo((_request, response) => void response.end('awake'));
  backends.socketPath = null;
  const waiting = fetch(url);
  await vi.waitFor(() => expect(traffic.of(CHAT)).toMatchObject({ inFlight: 1, waiting: 1 }));
  backends.socketPath = model.socketPath;
  expect(await (await waiting).text()).toBe('awake');
  backends.socketPath = null;
  const late = await fetch(url, { headers: { 'X-Scale-Up-Timeout': '0' } });
  expect([late.status, late.headers.get('retry-after'), await late.json()]).toEqual([
    ...[503, '7'],
    {
      error: { message: 'It does not wake in time.', type: 'server_error', param: null, code: 'endpoint_unavailable' },
    },
  ]);
  expect((await fetch(url, { headers: { 'X-Scale-Up-Timeout': 'soon' } })).status).toBe(400);
  const { name } = CHAT;
  expect(backends.acquired).toEqual([
    { name, waitMs: 60_000 },
    { name, waitMs: 0, queueMs: 0 },
  ]);
  expect(traffic.of(CHAT)).toMatchObject({ requests: 2, failed: 1, waiting: 0 });
});

test('the health route needs the token too, wakes nothing and does not count as use', async () => {
  const headers = { authorization: 'Bearer creator' };
  const { url, backends, traffic } = await gatewayTo((_request, response) => void response.end('ok'), {
    endpoint: { type: 'authenticated' },
  });
  expect((await ask(`${url}/health`, {})).status).toBe(401);
  expect(await ask(`${url}/health?x`, headers)).toMatchObject({ status: 200, text: 'ok' });
  expect(await ask(`${url}/health`, headers, 'HEAD')).toMatchObject({ status: 200, text: '' });
  backends.socketPath = null;
  expect(await ask(`${url}/health`, headers)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
  expect(backends.acquired).toEqual([]);
  expect(traffic.of(CHAT).requests).toBe(0);
});

test('a model server that is silent is given up: before its head, and in its body', async () => {
  const clock = movableClock();
  const { headMs, idleMs } = gatewayBounds.deadlines;
  const asked = Promise.withResolvers<void>();
  const silent = await gatewayTo(() => asked.resolve(), { clock });
  const answer = fetch(silent.url);
  await asked.promise;
  await clock.pass(headMs, headMs);
  expect((await answer).status).toBe(504);
  expect(silent.traffic.of(CHAT)).toMatchObject({ requests: 1, failed: 1, inFlight: 0 });
  const stuck = await gatewayTo((_request, response) => void response.writeHead(200).write('x'), { clock });
  const reader = ((await fetch(stuck.url)).body as ReadableStream<Uint8Array>).getReader();
  expect((await reader.read()).value).toEqual(new TextEncoder().encode('x'));
  await clock.pass(idleMs, idleMs);
  await expect(reader.read()).rejects.toThrow('terminated');
  expect(stuck.traffic.of(CHAT)).toMatchObject({ requests: 1, failed: 1, inFlight: 0 });
});

test('for another machine, its address counts, and a private endpoint does not exist', async () => {
  const bearer = { authorization: 'Bearer creator' };
  const statusOf = async (endpoint: Partial<GatewayEndpoint>, headers: Record<string, string>) => {
    const { url } = await gatewayTo((_request, response) => void response.end(), {
      sources: {
        isFromHere: () => false,
        hasRightsOfHere: () => false,
        addressOf: ({ socket }) => socket.remoteAddress ?? '',
      },
      endpoint,
    });
    return (await ask(url, headers)).status;
  };
  const outside = { cidrBlock: true, cidrList: ['192.0.2.0/24'] };
  const inside = { cidrBlock: true, cidrList: ['192.0.2.0/24', '127.0.0.0/8'] };
  expect(await statusOf({ type: 'public', network: outside }, bearer)).toBe(403);
  expect(await statusOf({ type: 'public', network: inside }, {})).toBe(200);
  expect(await statusOf({ type: 'authenticated', network: inside }, {})).toBe(401);
  expect(await statusOf({ type: 'authenticated', network: inside }, bearer)).toBe(200);
  expect(await statusOf({ type: 'authenticated', network: outside }, bearer)).toBe(403);
  expect(await statusOf({ type: 'private' }, bearer)).toBe(404);
  expect(await statusOf({ type: 'private' }, {})).toBe(404);
});

test('a chat that an endpoint refuses is answered in one sentence, and is no failure of it', async () => {
  const backends: Backends = {
    acquire: async ({ name }, { isChat = false }) => {
      throw isChat ? new ChatTemplateMissing(name) : new EndpointUnavailable('It is asleep.', null);
    },
    peek: () => null,
  };
  const { url, traffic } = await gatewayTo((_, response) => void response.end(), { backends });
  const post = (path: string) => fetch(url + path, { method: 'POST', body: '{}' });
  const refused = await post('/v1/chat/completions');
  expect({ status: refused.status, body: await refused.json() }).toEqual({
    status: 400,
    body: {
      error: {
        message:
          'The model of "chat" has no chat template, so it only continues text: use /v1/completions, or choose a chat template in the endpoint\'s settings.',
        ...{ type: 'invalid_request_error', param: null, code: 'no_chat_template' },
      },
    },
  });
  expect(traffic.of(CHAT)).toMatchObject({ requests: 1, failed: 0, inFlight: 0, waiting: 0, latencyMs: null });
  expect(traffic.answers(CHAT)).toBe(0);
  expect((await post('/v1/completions')).status).toBe(503);
});

test('behind the named proxy, the address that it added counts, and without one no address is allowed', async () => {
  const { url } = await gatewayTo((_request, response) => void response.end(), {
    sources: new RequestSources({ requireToken: false, behindProxy: '127.0.0.1' }),
    endpoint: { type: 'public', network: { cidrBlock: true, cidrList: ['192.0.2.0/24', '127.0.0.0/8'] } },
  });
  const statusOf = async (headers: Record<string, string>) => (await ask(url, headers)).status;
  expect(await statusOf({ 'x-forwarded-for': '198.51.100.7, 192.0.2.7' })).toBe(200);
  expect(await statusOf({ forwarded: 'for=198.51.100.7, for="192.0.2.7:4711"' })).toBe(200);
  expect(await statusOf({ 'x-forwarded-for': '192.0.2.7, 198.51.100.7' })).toBe(403);
  expect(await statusOf({ 'x-forwarded-for': '198.51.100.7', forwarded: 'for=192.0.2.7' })).toBe(403);
  expect(await statusOf({})).toBe(403);
});

test('where every request needs a token, coming from this machine allows no address', async () => {
  const { url } = await gatewayTo((_request, response) => void response.end(), {
    sources: new RequestSources({ requireToken: true, behindProxy: null }),
    endpoint: { type: 'public', network: { cidrBlock: true, cidrList: ['192.0.2.0/24'] } },
  });
  expect((await ask(url, {})).status).toBe(403);
  expect((await ask(url, { authorization: 'Bearer creator' })).status).toBe(200);
});
