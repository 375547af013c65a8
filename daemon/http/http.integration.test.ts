/** Access, error replies and the limit of event streams, over real HTTP. */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { operations } from '../contract/operations/operations.ts';
import { startTestDaemon, type TestDaemon } from '../testing/daemon/test-daemon.ts';
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
    for (const query of ['after=-1', 'after=x', 'after=', 'after=%20', 'after=0x10', 'after=1e3', 'after=1&after=2']) {
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
  const raw = async (headers: Record<string, string>, method: string, path: string) => {
    const request = httpRequest(daemon.url + path, { method, headers });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return { status: response.statusCode, headers: response.headers };
  };

  test('are refused on every route before their cookie is looked at, and use up no sign-in address', async () => {
    const { name, value } = daemon.newSessionCookie();
    const signIn = daemon.newSignInUrl().slice(daemon.url.length);
    const routes = Object.values(operations).map(
      ({ method, path }) => [method, path.replace(/\{\w+\}/g, 'x')] as const,
    );
    for (const [method, path] of [...routes, ['GET', '/'], ['GET', signIn]] as const) {
      for (const headers of [
        { Host: 'evil.example' },
        { Origin: 'https://evil.example' },
        { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' },
      ]) {
        const answer = await raw({ ...headers, Cookie: `${name}=${value}` }, method, path);
        const { status, headers: sent } = answer;
        expect({ path, status, cookie: sent['set-cookie'] }).toEqual({ path, status: 403, cookie: undefined });
      }
    }
    // A link may lead to the sign-in page, like to any page.
    const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    expect((await raw(link, 'GET', signIn)).headers.location).toBe('/#/signed-in');
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
