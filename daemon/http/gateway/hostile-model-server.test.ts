/** The gateway over real HTTP, with model servers that break the protocol on purpose. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Clock } from '../../shared/clock.ts';
import { CHAT, type GatewayServerOptions, startGateway } from '../../testing/gateway/gateway-server.ts';
import { httpModelServer, type ModelServer, rawModelServer } from '../../testing/gateway/model-server.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { gatewayBounds } from './gateway.ts';

/** Short, for servers that stop in the middle of their answer. */
const deadlines = { ...gatewayBounds.deadlines, idleMs: 1_000 };

async function gatewayTo(model: ModelServer, options: GatewayServerOptions = { deadlines }) {
  const served = await startGateway(model.socketPath, options);
  onTestFinished(async () => {
    // Nothing is left under way, whatever the model server did.
    await vi.waitFor(() => expect(served.gateway.load).toEqual({ requests: 0, bodyBytes: 0 }));
    expect(served.backends.inUse).toBe(0);
    expect(served.traffic.of(CHAT)).toMatchObject({ inFlight: 0, waiting: 0 });
    await served[Symbol.asyncDispose]();
    await model.stop();
  });
  return served;
}

/** Sends pieces for as long as the other side reads. */
function endless(socket: Socket, piece: string) {
  const write = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', write);
  write();
}
const head = 'HTTP/1.1 200 OK\r\n';

test.each<[string, string, string | null, number]>([
  ['endless headers', head, 'x-a: b\r\n', 502],
  ['an endless header', `${head}x-a: `, 'a'.repeat(1_000), 502],
  ['a header of 40 kB', `${head}x-a: ${'a'.repeat(40_000)}\r\n\r\n`, null, 502],
  ['too many headers', `${head}${'a:b\r\n'.repeat(500)}content-length: 0\r\n\r\n`, null, 502],
  ['an endless status line', 'HTTP/1.1 200 ', 'a'.repeat(1_000), 504],
  ['endless interim answers', '', 'HTTP/1.1 102 Processing\r\n\r\n', 502],
  ['a protocol switch', 'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n', null, 502],
  ['an unasked 100', 'HTTP/1.1 100 Continue\r\n\r\n', null, 502],
  ['no HTTP', 'SSH-2.0-x\r\n', null, 502],
  ['an HTTP/0.9 answer', '<html>hello</html>', null, 502],
  ['a header without a name', `${head}: x\r\n\r\n`, null, 502],
  ['a folded header', `${head}x-a: b\r\n  c\r\ncontent-length: 0\r\n\r\n`, null, 502],
  ['two lengths', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`, null, 502],
  ['a length and chunks', `${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, null, 502],
  ['a length that is none', `${head}content-length: -1\r\n\r\n`, null, 502],
  ['a redirect', 'HTTP/1.1 302 Found\r\nlocation: /api/apps/list\r\ncontent-length: 0\r\n\r\n', null, 502],
  ['a permanent redirect', 'HTTP/1.1 308 X\r\nlocation: http://evil.test/\r\ncontent-length: 0\r\n\r\n', null, 502],
  ['a status of no class', 'HTTP/1.1 999 X\r\ncontent-length: 0\r\n\r\n', null, 502],
  ['nothing', '', null, 504],
])('%s is a failure of the model server', async (_what, start, piece, status) => {
  const clock = movableClock();
  const model = await rawModelServer((socket) => {
    socket.write(start);
    if (piece !== null) endless(socket, piece);
  });
  const headMs = status === 504 ? 1_000 : deadlines.headMs;
  const { url } = await gatewayTo(model, { deadlines: { ...deadlines, headMs }, clock });
  const answer = await clock.during(fetch(url, { redirect: 'manual' }));
  expect(answer.status).toBe(status);
  const error = { message: expect.any(String), type: 'server_error', param: null, code: expect.any(String) };
  expect(await answer.json()).toEqual({ error });
  expect(answer.headers.get('content-security-policy')).toContain('sandbox');
  await vi.waitFor(() => expect(model.connections.size).toBe(0));
});

test.each<[string, string, string]>([
  ['a shorter body than its length', `${head}content-length: 10\r\n\r\nabc`, 'end'],
  ['no end of its chunks', `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`, 'end'],
  ['a loss in its chunks', `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`, 'loss'],
  ['a chunk that is none', `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\nabc`, 'stay'],
  ['an endless length of a chunk', `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n${'f'.repeat(40)}`, 'stay'],
  [
    'trailers without end',
    `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n${'a:b\r\n'.repeat(20_000)}`,
    'stay',
  ],
  ['silence', `${head}content-length: 10\r\n\r\nabc`, 'stay'],
])('an answer with %s does not look whole', async (_what, text, then) => {
  const clock = movableClock();
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const model = await rawModelServer((socket) => {
    socket.write(text, () => {
      if (then === 'end') socket.end();
      if (then === 'loss') void begun.then(() => socket.destroy());
    });
  });
  const { url, traffic } = await gatewayTo(model, { deadlines, clock });
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  resolve();
  await expect(clock.during(answer.text())).rejects.toThrow('terminated');
  expect(traffic.of(CHAT)).toMatchObject({ requests: 1, failed: 1 });
});

test('more than the length of an answer is not part of it, nor of the next one', async () => {
  const model = await rawModelServer((socket) => {
    socket.write(`${head}content-length: 3\r\n\r\nabc${head}content-length: 4\r\n\r\nevil`);
  });
  const { url } = await gatewayTo(model);
  for (let turn = 0; turn < 3; turn++) expect(await (await fetch(url)).text()).toBe('abc');
});

test('a body without end passes while it is read, and ends with its reader', async () => {
  const model = await rawModelServer((socket) => {
    socket.write(`${head}content-type: text/event-stream\r\n\r\n`);
    endless(socket, 'data: x\n\n'.repeat(1_000));
  });
  const { url } = await gatewayTo(model, {}); // without the short deadlines: a busy machine may read slowly
  const before = process.memoryUsage().arrayBuffers;
  const abort = new AbortController();
  const answer = await fetch(url, { signal: abort.signal });
  let received = 0;
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
    received += chunk.length;
    if (received > 50_000_000) break;
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
  await vi.waitFor(() => expect(model.connections.size).toBe(0));
});

test('an answer before the whole body was read passes, and the connection is not used again', async () => {
  let requests = 0;
  const model = await rawModelServer((socket) => {
    requests += 1;
    socket.pause();
    socket.write('HTTP/1.1 400 No\r\ncontent-length: 2\r\n\r\nno');
  });
  const { url } = await gatewayTo(model);
  for (const turn of [1, 2]) {
    const answer = await fetch(url, { method: 'POST', body: Buffer.alloc(8_000_000) });
    expect([answer.status, await answer.text(), requests]).toEqual([400, 'no', turn]);
  }
});

test('a replica that dies before it answers is replaced, and the request is sent again whole', async () => {
  const received: string[] = [];
  let replacement = (): void => {};
  const dying = await rawModelServer((socket) => {
    socket.destroy();
    replacement();
  });
  const { url, backends, traffic } = await gatewayTo(dying);
  const healthy = await httpModelServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(body);
    response.end('done');
  });
  onTestFinished(() => healthy.stop());
  for (const body of ['small', 'large '.repeat(200_000)]) {
    backends.socketPath = dying.socketPath;
    replacement = () => {
      backends.socketPath = healthy.socketPath;
    };
    expect(await (await fetch(url, { method: 'POST', body })).text()).toBe('done');
    expect(received.pop()).toBe(body);
  }
  await dying.stop(); // its socket is gone
  backends.socketPath = dying.socketPath;
  const before = backends.acquired.length;
  const answer = fetch(url);
  await vi.waitFor(() => expect(backends.acquired.length).toBeGreaterThan(before + 1)); // it was lost
  backends.socketPath = healthy.socketPath;
  expect(await (await answer).text()).toBe('done');
  expect(traffic.of(CHAT)).toMatchObject({ requests: 3, failed: 0 });
});

test('a request that ends every replica is given up after eight times', async () => {
  const clock = movableClock();
  let requests = 0;
  const model = await rawModelServer((socket) => {
    requests += 1;
    backends.replicas += 1;
    socket.destroy();
  });
  const { url, traffic, backends } = await gatewayTo(model, { deadlines, clock });
  expect((await clock.during(fetch(url, { method: 'POST', body: 'x' }))).status).toBe(502);
  expect(requests).toBe(8);
  expect(traffic.of(CHAT)).toMatchObject({ requests: 1, failed: 1 });
});

describe('a port that accepts connections and resets them', () => {
  /** As the port of a container does whose program no longer listens. */
  async function resettingPort(clock: Clock) {
    let connections = 0;
    const port = createServer((socket) => {
      connections += 1;
      socket.once('data', () => socket.resetAndDestroy());
    }).listen(0, '127.0.0.1');
    await once(port, 'listening');
    onTestFinished(() => void port.close());
    const healthy = await httpModelServer((_request, response) => void response.end('done'));
    const served = await gatewayTo(healthy, { deadlines, clock });
    served.backends.port = (port.address() as AddressInfo).port;
    return { ...served, connections: () => connections };
  }

  test('gets a request three times, which then waits for another replica', async () => {
    const clock = movableClock();
    const { url, traffic, backends, connections } = await resettingPort(clock);
    const answer = fetch(url, { method: 'POST', body: 'x' });
    await vi.waitFor(() => expect(traffic.of(CHAT)).toMatchObject({ inFlight: 1, waiting: 1 }));
    await vi.waitFor(() => expect(connections()).toBe(3));
    await clock.pass(5_000); // longer than eight sends in a row take
    expect(connections()).toBe(3);
    backends.port = null;
    expect(await (await answer).text()).toBe('done');
    expect(traffic.of(CHAT)).toMatchObject({ requests: 1, failed: 0 });
  });

  test('is given up at the limit of the caller', async () => {
    const clock = movableClock();
    const { url, traffic, connections } = await resettingPort(clock);
    const answer = await clock.during(fetch(url, { headers: { 'X-Scale-Up-Timeout': '1' } }));
    expect([answer.status, await answer.json()]).toMatchObject([
      502,
      { error: { message: 'The model server ended before it answered.' } },
    ]);
    expect(connections()).toBe(3);
    expect(traffic.of(CHAT)).toMatchObject({ requests: 1, failed: 1, waiting: 0 });
  });
});

test('once an answer has begun, the request is never sent again', async () => {
  const clock = movableClock();
  for (const begun of ['H', head, `${head}content-length: 5\r\n\r\n`]) {
    let requests = 0;
    const model = await rawModelServer((socket) => {
      requests += 1;
      socket.end(begun);
    });
    const { url } = await gatewayTo(model, { deadlines, clock });
    await fetch(url)
      .then((answer) => answer.text())
      .catch(() => {});
    await clock.pass(3_000);
    expect(requests).toBe(1);
  }
});

test('a model server that accepts no connections is given up after two seconds', async () => {
  const clock = movableClock();
  const model = await rawModelServer(() => {});
  const { url } = await gatewayTo(model, { deadlines, clock });
  await model.stop();
  const startedMs = clock.elapsedMs();
  const answer = await clock.during(fetch(url, { headers: { 'X-Scale-Up-Timeout': '0' } }));
  expect(answer.status).toBe(502);
  expect(clock.elapsedMs() - startedMs).toBeGreaterThan(1_900);
});

test('a request that has queued for long waits for another replica when its own accepts no connection', async () => {
  const clock = movableClock();
  const gone = await rawModelServer(() => {});
  const other = await httpModelServer((_request, response) => void response.end('done'));
  onTestFinished(() => other.stop());
  const { url, backends, traffic } = await gatewayTo(gone, { deadlines, clock });
  await gone.stop();
  const acquire = backends.acquire.bind(backends);
  backends.acquire = async (...asked) => {
    const backend = await acquire(...asked);
    if (backends.acquired.length > 1) return backend;
    await clock.pass(90_000, 90_000); // it waited for its turn
    backends.socketPath = null;
    return backend;
  };
  const answer = fetch(url);
  await vi.waitFor(() => expect(backends.acquired).toHaveLength(2));
  expect(traffic.of(CHAT)).toMatchObject({ inFlight: 1, waiting: 1 });
  backends.socketPath = other.socketPath;
  expect(await (await answer).text()).toBe('done');
});

/** Sends bytes, and collects the answers until the gateway closes the connection. */
async function rawExchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  socket.write(text, 'latin1');
  await once(socket, 'close');
  return received;
}

test('an ambiguous request reaches the model server with one meaning, or not at all', async () => {
  const seen: string[] = [];
  const model = await httpModelServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push(`${request.method} ${request.url} ${body}`);
    response.end('ok');
  });
  const { port } = await gatewayTo(model);
  const post = 'POST /endpoints/lab/chat/v1 HTTP/1.1\r\nHost: x\r\n';
  const smuggled = 'GET /endpoints/lab/chat/smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
  /** The gateway closes the connection after it. */
  const last = 'GET /endpoints/lab/chat/last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const refused = [
    `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef${smuggled}`,
    `${post}Content-Length: 5, 5\r\n\r\nabcde${smuggled}`,
    `${post}Content-Length: +5\r\n\r\nabcde${smuggled}`,
    `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
    `${post}Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n${smuggled}`,
    `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `${post}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `${post}Transfer-Encoding: chunked\r\n\r\n1;a\n=b\r\nx\r\n0\r\n\r\n${smuggled}`,
    `${post}X: a\nContent-Length: 5\r\n\r\nabcde${smuggled}`,
    `${post} Content-Length: 5\r\n\r\nabcde${smuggled}`,
    `${post}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nContent-Length: 99\r\n\r\n${smuggled}`,
    `POST /endpoints/lab/chat/v1 HTTP/1.1\r\nHost: x\r\nX: \0\r\n\r\n${smuggled}`,
    `POST /endpoints/lab/chat/v1 x HTTP/1.1\r\nHost: x\r\n\r\n${smuggled}`,
  ];
  for (const text of refused) {
    expect(await rawExchange(port, text), text).toMatch(/^HTTP\/1\.1 400 /);
    expect(seen.splice(0), text).toEqual([]);
  }
  const read: readonly [string, string][] = [
    [`${post}Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n3\r\nabc\r\n0\r\nX: 99\r\n\r\n`, 'POST /v1 abc'],
    [`${post}Content-Length: 3\r\nConnection: content-length\r\n\r\nabc`, 'POST /v1 abc'],
    [`${post}Content-Length: 3\r\nContent_Length: 9\r\nExpect: 100-continue\r\n\r\nabc`, 'POST /v1 abc'],
    ['GET /endpoints/lab/chat/v1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc', 'GET /v1 abc'],
    [`${post}Content-Length: 0\r\n\r\n`, 'POST /v1 '],
    [`${post}Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n`, 'POST /v1 '],
    [`${post}\r\n`, 'POST /v1 '],
  ];
  for (const [text, reading] of read) {
    const answers = await rawExchange(port, text + last);
    expect(answers.match(/HTTP\/1\.1 (?!100)\d+/g), text).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(seen.splice(0).sort(), text).toEqual(['GET /last ', reading].sort());
  }
  // A coding that the gateway would have to undo.
  const coded = `${post}Transfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`;
  expect((await rawExchange(port, coded + last)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200']);
  expect(seen.splice(0)).toEqual(['GET /last ']);
  // Two requests on one connection are two; they are passed on side by side.
  const both = await rawExchange(port, `${post}Content-Length: 3\r\n\r\nabc${smuggled}${last}`);
  expect([both.match(/HTTP\/1\.1 200/g)?.length, seen.sort()]).toEqual([
    3,
    ['GET /last ', 'GET /smuggled ', 'POST /v1 abc'],
  ]);
});
