/** The cache over real HTTP, in the gateway. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CHAT, type GatewayServerOptions, startGateway } from '../../testing/gateway/gateway-server.ts';
import { httpModelServer, type ModelAnswer, rawModelServer } from '../../testing/gateway/model-server.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { gatewayBounds } from './gateway.ts';

async function gatewayTo(answer: ModelAnswer, options?: GatewayServerOptions) {
  let asked = 0;
  const model = await httpModelServer((request, response) => {
    asked += 1;
    return answer(request, response);
  });
  const served = await startGateway(model.socketPath, {
    cacheTerms: () => ({ version: '1', isSettled: true }),
    ...options,
  });
  onTestFinished(async () => {
    await served[Symbol.asyncDispose]();
    await model.stop();
  });
  return { ...served, model, asked: () => asked };
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

async function ask(url: string, { method = 'POST', headers = {}, body }: Asked = {}) {
  const request = httpRequest(url, { method, headers, agent: false }).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  const cached = response.headers['x-cache'] ?? null;
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces), cached };
}

/** Tells how often it was asked, with a length. */
function counting(): ModelAnswer {
  let count = 0;
  return async (request, response) => {
    for await (const _ of request);
    count += 1;
    const body = `answer ${count}`;
    response.writeHead(200, { 'content-length': body.length }).end(body);
  };
}

test('the same request is answered again with the same body and headers, and marked', async () => {
  const headers = {
    ...{ 'content-type': 'application/json', 'content-encoding': 'gzip', etag: '"1"', 'openai-processing-ms': '900' },
    ...{ 'x-request-id': 'first', 'x-ratelimit-remaining-requests': '4', 'x-cache': 'HIT' },
  };
  const body = gzipSync('{"a":1}');
  const { url, asked, traffic } = await gatewayTo((_request, response) => {
    response.writeHead(200, { ...headers, 'content-length': body.length }).end(body);
  });
  const first = await ask(url, { body: '{}' });
  expect([first.cached, first.headers['x-request-id']]).toEqual([null, 'first']);
  const { date, ...again } = (await ask(url, { body: '{}' })).headers;
  expect(again).toEqual({
    ...{ 'content-type': 'application/json', 'content-encoding': 'gzip', etag: '"1"', 'x-cache': 'HIT' },
    'content-length': String(body.length),
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    ...{ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' },
    ...{ 'cache-control': 'no-store', 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' },
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=()',
    connection: 'close',
  });
  expect(date).toEqual(expect.any(String));
  expect(gunzipSync((await ask(url, { body: '{}' })).body).toString()).toBe('{"a":1}');
  expect(asked()).toBe(1);
  expect(traffic.of(CHAT)).toMatchObject({ requests: 3, cacheHits: 2, failed: 0, inFlight: 0, waiting: 0 });
});

test('an endpoint that sleeps answers from the cache, and nothing wakes it or counts as its use', async () => {
  const { url, backends } = await gatewayTo(counting());
  await ask(url, { body: 'known' });
  backends.socketPath = null;
  expect(await ask(url, { body: 'known' })).toMatchObject({ status: 200, cached: 'HIT' });
  expect(backends.acquired).toHaveLength(1);
  const unknown = await ask(url, { body: 'unknown', headers: { 'x-scale-up-timeout': '0' } });
  expect([unknown.status, backends.acquired.length]).toEqual([503, 2]);
});

test('access is checked before the cache', async () => {
  const { url } = await gatewayTo(counting(), { endpoint: { type: 'authenticated' } });
  const creator = { authorization: 'Bearer creator' };
  await ask(url, { headers: creator });
  expect((await ask(url, { headers: creator })).cached).toBe('HIT');
  expect(await ask(url)).toMatchObject({ status: 401, cached: null });
  expect(await ask(url, { headers: { authorization: 'Bearer stranger' } })).toMatchObject({
    status: 403,
    cached: null,
  });
});

test('with x-use-cache: false a request is neither answered from the cache nor kept', async () => {
  const { url } = await gatewayTo(counting());
  const own = { headers: { 'x-use-cache': 'false' } };
  const answers = [await ask(url, own), await ask(url), await ask(url, own), await ask(url)];
  expect(answers.map(({ body, cached }) => [body.toString(), cached])).toEqual([
    ...[['answer 1', null] as const, ['answer 2', null] as const, ['answer 3', null] as const],
    ['answer 2', 'HIT'],
  ]);
});

test('other bodies, paths and headers get answers of their own', async () => {
  const { url, asked } = await gatewayTo(counting());
  const json = { 'content-type': 'application/json' };
  const requests: (readonly [string, Asked])[] = [
    ['/a', { body: '1' }],
    ['/a', { body: '2' }],
    ['/a?b=1', { body: '1' }],
    ['/a', { body: '1', headers: json }],
    ['/a', { method: 'GET' }],
    ['/a', { method: 'GET', headers: { accept: 'text/plain' } }],
  ];
  for (const [path, asking] of requests) expect((await ask(url + path, asking)).cached).toBeNull();
  for (const [path, asking] of requests) expect((await ask(url + path, asking)).cached).toBe('HIT');
  expect(asked()).toBe(requests.length);
  // A header that is sent and not passed on does not stand for one that the model server sees.
  const hidden = { method: 'GET', headers: { accept: 'text/html', connection: 'close, accept' } };
  const bare = await ask(`${url}/a`, { method: 'GET' });
  expect((await ask(`${url}/a`, hidden)).body).toEqual(bare.body);
  expect((await ask(`${url}/a`, { method: 'GET', headers: { accept: 'text/html' } })).cached).toBeNull();
});

test.each<[string, ModelAnswer]>([
  [
    'a stream of events',
    (_request, response) => void response.setHeader('content-type', 'text/event-stream').end('data: 1\n\n'),
  ],
  ['text without a length', (_request, response) => void response.write('x', () => response.end('y'))],
  ['a failure', (_request, response) => void response.writeHead(500, { 'content-length': 1 }).end('x')],
  ['another status of success', (_request, response) => void response.writeHead(206, { 'content-length': 1 }).end('x')],
  [
    'a cookie',
    (_request, response) => void response.writeHead(200, { 'content-length': 1, 'set-cookie': 'a=1' }).end('x'),
  ],
  [
    'no-store',
    (_request, response) => void response.writeHead(200, { 'content-length': 1, 'cache-control': 'no-store' }).end('x'),
  ],
  ['more than 1 MB', (_request, response) => void response.end(Buffer.alloc(1024 * 1024 + 1))],
  [
    'more than 1 MB of JSON in pieces',
    async (_request, response) => {
      response.setHeader('content-type', 'application/json');
      for (let piece = 0; piece < 20; piece++) response.write(' '.repeat(64 * 1024));
      response.end('1');
    },
  ],
])('%s is not kept', async (_what, answer) => {
  const { url, asked, cache } = await gatewayTo(answer);
  for (let turn = 0; turn < 2; turn++) expect((await ask(url)).cached).toBeNull();
  expect(asked()).toBe(2);
  expect(cache.bytes).toEqual({ kept: 0, arriving: 0 });
});

test('1 MB is kept, and so is JSON in pieces', async () => {
  const { url } = await gatewayTo((request, response) => {
    if (request.url === '/large') return void response.end(Buffer.alloc(1024 * 1024, 'a'));
    response.setHeader('content-type', 'application/json').write('[1,');
    response.end('2]');
  });
  for (const [path, length] of [
    ['/large', 1024 * 1024],
    ['/pieces', 5],
  ]) {
    await ask(`${url}${path}`);
    expect(await ask(`${url}${path}`)).toMatchObject({ cached: 'HIT', body: { length } });
  }
});

test.each<[string, string]>([
  ['breaks off', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
  [
    'breaks off within JSON',
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n3\r\n[1,\r\n',
  ],
  ['ends with its connection', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n[1]'],
  [
    'has two meanings',
    'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  ],
])('an answer that %s is not kept', async (_what, text) => {
  const model = await rawModelServer((socket) => socket.end(text));
  const served = await startGateway(model.socketPath, { cacheTerms: () => ({ version: '1', isSettled: true }) });
  onTestFinished(async () => {
    await served[Symbol.asyncDispose]();
    await model.stop();
  });
  await ask(served.url).catch(() => {});
  await vi.waitFor(() => expect(served.gateway.load.requests).toBe(0));
  expect(served.cache.bytes).toEqual({ kept: 0, arriving: 0 });
});

test('an answer whose caller goes away is not kept, and its memory is free', async () => {
  const { url, cache, gateway } = await gatewayTo((_request, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('abc');
  });
  const gone = new AbortController();
  const answer = await fetch(url, { signal: gone.signal });
  expect(answer.ok).toBe(true);
  await vi.waitFor(() => expect(cache.bytes.arriving).toBeGreaterThan(0));
  gone.abort();
  await vi.waitFor(() => expect(gateway.load.requests).toBe(0));
  expect(cache.bytes).toEqual({ kept: 0, arriving: 0 });
});

test('the same requests at the same time each reach a replica, and one of their answers is kept', async () => {
  const { promise: wait, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const { url } = await gatewayTo(async (_request, response) => {
    const body = `${++count}`;
    await wait;
    response.end(body);
  });
  const asked = [ask(url), ask(url), ask(url)];
  await vi.waitFor(() => expect(count).toBe(3));
  resolve();
  expect((await Promise.all(asked)).map(({ body }) => body.toString()).sort()).toEqual(['1', '2', '3']);
  expect(await ask(url)).toMatchObject({ cached: 'HIT', body: { length: 1 } });
});

test('a caller that reads nothing of a kept answer loses its connection', async () => {
  const { deadlines } = gatewayBounds;
  const clock = movableClock();
  const { url, port, gateway } = await gatewayTo((_request, response) => void response.end(Buffer.alloc(1024 * 1024)), {
    deadlines: { ...deadlines, idleMs: 1_000 },
    clock,
  });
  await ask(url, { method: 'GET' });
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  // Several answers, since the system's buffers take the first ones.
  socket.pause();
  socket.write('GET /endpoints/lab/chat HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(20));
  await vi.waitFor(() => expect(gateway.load.bodyBytes).toBeGreaterThan(0)); // they wait for their reader
  await clock.during(vi.waitFor(() => expect(gateway.load).toEqual({ requests: 0, bodyBytes: 0 })));
  socket.resume();
  await once(socket, 'close');
});

test('without the cache nothing is kept', async () => {
  const { url, asked } = await gatewayTo(counting(), { cacheTerms: () => null });
  await ask(url);
  expect((await ask(url)).cached).toBeNull();
  expect(asked()).toBe(2);
});
