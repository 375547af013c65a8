/** Access, error replies and events, over real HTTP. */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { DaemonEvent } from '../contract/events.ts';
import { operations } from '../contract/operations/operations.ts';
import { fixtureApp, startTestDaemon, type TestDaemon } from '../testing/daemon/test-daemon.ts';
import { dashboard, NONCE_PLACEHOLDER } from './dashboard.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

const send = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(daemon.url + path, init);
  const text = await response.text();
  const body = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body };
};
const json = { 'Content-Type': 'application/json' };

describe('errors', () => {
  test.each<[string, string, RequestInit, number]>([
    ['malformed JSON', '/api/apps/install', { method: 'POST', headers: json, body: '{"url":' }, 400],
    ['no body', '/api/apps/install', { method: 'POST' }, 400],
    [
      'another content type',
      '/api/apps/install',
      { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{}' },
      400,
    ],
    [
      'a body of the wrong shape',
      '/api/apps/install',
      { method: 'POST', headers: json, body: '{"url":3,"more":1}' },
      400,
    ],
    [
      'a body that is too long',
      '/api/apps/install',
      { method: 'POST', headers: json, body: JSON.stringify({ url: 'x'.repeat(70_000) }) },
      400,
    ],
    ['a null body', '/api/apps/install', { method: 'POST', headers: json, body: 'null' }, 400],
    ['a bad path encoding', '/api/apps/start-app/%E0%A4%A', { method: 'POST' }, 400],
    ['a bad path encoding with another method', '/api/apps/start-app/%E0%A4%A', { method: 'PATCH' }, 400],
  ])('%s is 400 with issues', async (_name, path, init, status) => {
    expect(await send(path, init)).toMatchObject({
      status,
      body: {
        error: expect.any(String),
        issues: expect.arrayContaining([expect.objectContaining({ message: expect.any(String) })]),
      },
    });
  });

  test('a reply lists every issue of a body', async () => {
    const { body } = await send('/api/apps/install', { method: 'POST', headers: json, body: '{"more":1}' });
    expect(body.issues.map((issue: { path: string[] }) => issue.path)).toEqual([['url'], ['more']]);
  });

  test('a bad query is 400 with details', async () => {
    for (const query of ['after=-1', 'after=x', 'after=1&after=2']) {
      expect(await send(`/api/apps/output?${query}`)).toMatchObject({
        status: 400,
        body: { details: [expect.anything()] },
      });
    }
    expect((await send('/api/apps/stop-current-app?force=perhaps', { method: 'POST' })).status).toBe(400);
  });

  test('an unknown path is 404, another method on a known one 405 with Allow', async () => {
    expect(await send('/api/nothing/here')).toMatchObject({
      status: 404,
      body: { error: 'There is nothing at /api/nothing/here.' },
    });
    expect((await send('/api/jobs/no-such-job')).status).toBe(404);
    for (const { method, path } of Object.values(operations)) {
      for (const other of ['PATCH', 'OPTIONS']) {
        const reply = await send(path.replace(/\{\w+\}/g, 'x'), { method: other });
        expect({ path, other, status: reply.status }).toEqual({ path, other, status: 405 });
        expect(reply.headers.get('allow')?.split(', ')).toEqual(
          expect.arrayContaining(method === 'GET' ? ['GET', 'HEAD'] : [method]),
        );
      }
    }
  });
});

describe('requests of other sites', () => {
  /** Sends headers that fetch does not allow. */
  const raw = async (headers: Record<string, string>, method = 'GET', path = '/api/apps/list') => {
    const request = httpRequest(daemon.url + path, { method, headers });
    request.end();
    const [response] = await once(request, 'response');
    response.resume();
    return response.statusCode as number;
  };

  test('a foreign host name, another origin and cross-site requests are refused on every route', async () => {
    for (const { method, path } of Object.values(operations)) {
      const at = path.replace(/\{\w+\}/, 'x');
      expect(await raw({ Host: 'evil.example' }, method, at), at).toBe(403);
      expect(await raw({ Origin: 'https://evil.example' }, method, at), at).toBe(403);
      expect(await raw({ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' }, method, at), at).toBe(403);
    }
    expect(await raw({ Host: 'evil.example' }, 'GET', '/')).toBe(403);
  });

  test('they get no socket', async () => {
    const { host } = new URL(daemon.url);
    const refused = async (headers: Record<string, string>) => {
      const socket = new WebSocket(`ws://${host}/ws/sdk`, { headers });
      socket.on('error', () => {});
      const [, response] = await once(socket, 'unexpected-response');
      return (response as { statusCode: number }).statusCode;
    };
    expect(await refused({ Origin: 'https://evil.example' })).toBe(403);
    expect(await refused({ Host: 'evil.example' })).toBe(403);
    const welcome = new WebSocket(`ws://${host}/ws/sdk`);
    await once(welcome, 'open');
    welcome.terminate();
  });

  test('there is no other socket', async () => {
    const { host } = new URL(daemon.url);
    const socket = new WebSocket(`ws://${host}/api/events`);
    socket.on('error', () => {});
    const [, response] = await once(socket, 'unexpected-response');
    expect((response as { statusCode: number }).statusCode).toBe(404);
  });

  test('every response has the security headers', async () => {
    for (const path of ['/', '/api/apps/list', '/api/nothing']) {
      const { headers } = await send(path);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('content-security-policy')).toContain("worker-src 'self';");
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

test('each response of a page allows a nonce of its own, and no other response allows one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dashboard-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'index.html'), NONCE_PLACEHOLDER);
  await using own = await startTestDaemon({ dashboard: async () => dashboard(folder) });
  const ask = async (path: string) => {
    const answer = await fetch(`${own.url}${path}`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    return { text: await answer.text(), allowed: policy.match(/'nonce-[^']+'/g) };
  };
  const [one, other] = [await ask('/'), await ask('/')];
  for (const { text, allowed } of [one, other]) expect(allowed).toEqual([`'nonce-${text}'`, `'nonce-${text}'`]);
  expect(one.text).not.toBe(other.text);
  expect((await ask('/api/daemon/status')).allowed).toBeNull();
});

test('only files whose names change with their content may be cached', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dashboard-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), 'page');
  await writeFile(join(folder, 'color-scheme.js'), '');
  await writeFile(join(folder, 'assets', 'index-1a2b3c4d.js'), '');
  await using own = await startTestDaemon({ dashboard: async () => dashboard(folder) });
  const caching: Record<string, string | null> = {
    '/assets/index-1a2b3c4d.js': 'public, max-age=31536000, immutable',
    '/color-scheme.js': 'public, max-age=0',
    '/': 'no-store',
    '/assets/gone.js': 'no-store',
    '/api/apps/list': 'no-store',
    '/api/apps/gone': 'no-store',
    '/api/whoami-v2': 'no-store',
  };
  for (const [path, expected] of Object.entries(caching)) {
    const { headers } = await fetch(own.url + path);
    expect({ path, caching: headers.get('cache-control') }).toEqual({ path, caching: expected });
  }
});

describe('events', () => {
  async function* eventsOf(response: Response): AsyncGenerator<DaemonEvent> {
    let held = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      held += Buffer.from(chunk).toString();
      const frames = held.split('\n\n');
      held = frames.pop() as string;
      for (const frame of frames) if (frame.startsWith('data: ')) yield JSON.parse(frame.slice(6));
    }
  }

  test('a snapshot comes first, then changed resources as a whole', async () => {
    const leaving = new AbortController();
    const events = eventsOf(await fetch(`${daemon.url}/api/events`, { signal: leaving.signal }));
    const first = (await events.next()).value as DaemonEvent;
    expect(first).toMatchObject({
      type: 'snapshot',
      snapshot: { slot: { state: 'free' }, robot: { state: 'asleep' } },
    });
    const installing = daemon.install(fixtureApp('floods'));
    const seen: DaemonEvent[] = [];
    for await (const event of events) {
      seen.push(event);
      if (event.type === 'job.changed' && event.job.endedAt) break;
    }
    expect(seen.map(({ type }) => type)).toEqual(expect.arrayContaining(['job.changed', 'installed-apps.changed']));
    expect(seen.at(-1)).toMatchObject({ job: { state: 'done', appName: 'floods' } });
    await installing;
    leaving.abort();
  });

  test('a page that stops reading during a flood receives the gap and the latest state when it reads again', async () => {
    const { hostname, port } = new URL(daemon.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(`GET /api/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    await once(socket, 'data');
    socket.pause();
    await daemon.install(fixtureApp('floods'));
    await daemon.post('/api/apps/start-app/floods');
    await vi.waitFor(async () => expect(await daemon.output()).toContain('flooded'), {
      timeout: 55_000,
      interval: 100,
    });
    await daemon.post('/api/apps/stop-current-app');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.resume();
    await vi.waitFor(() => expect(text).toContain('"lastRun":{"runId"'));
    expect(text).toContain('"type":"app-output.gap"');
    socket.destroy();
  });

  test('fifty pages may watch, one more is refused', async () => {
    await using own = await startTestDaemon();
    const leaving = new AbortController();
    const watch = () => fetch(`${own.url}/api/events`, { signal: leaving.signal });
    const watching = await Promise.all(Array.from({ length: 50 }, watch));
    expect(watching.every(({ status }) => status === 200)).toBe(true);
    expect((await watch()).status).toBe(503);
    leaving.abort();
    await vi.waitFor(async () => {
      const again = new AbortController();
      const { status } = await fetch(`${own.url}/api/events`, { signal: again.signal });
      again.abort();
      expect(status).toBe(200);
    });
  });
});

test('the daemon stops while pages watch and programs are connected, and leaves nothing', async () => {
  await using own = await startTestDaemon();
  const watching = await fetch(`${own.url}/api/events`);
  const socket = new WebSocket(`${own.url.replace('http', 'ws')}/ws/sdk`);
  await once(socket, 'open');
  const closed = once(socket, 'close');
  const idle = connect(Number(new URL(own.url).port), '127.0.0.1');
  idle.on('error', () => {});
  idle.write('GET /ws/sdk HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await own.install(fixtureApp('ignores_sigint'));
  await own.post('/api/apps/start-app/ignores_sigint');
  await vi.waitFor(async () => expect(await own.output()).toContain('ready'));
  const stopping = own.stop();
  expect(await own.post('/api/apps/start-app/ignores_sigint')).toMatchObject({ status: 503 });
  expect(await own.post('/api/apps/install', { url: fixtureApp('polite') })).toMatchObject({ status: 503 });
  expect(await stopping, 'in order, within its cap').toBe(true);
  await closed;
  const states = [...(await watching.text()).matchAll(/"type":"robot.changed","robot":\{[^}]*?"state":"([\w-]+)"/g)];
  expect(states.at(-1)?.[1]).toBe('asleep');
  expect(await own.children()).toEqual([]);
  await sleep(0);
  await expect(fetch(own.url)).rejects.toThrow();
});
