/** A daemon that requires a token of every request, and one behind a proxy: over real HTTP. */
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { ownConnection } from '../../testing/daemon/raw-requests.ts';
import { startTestDaemon } from '../../testing/daemon/test-daemon.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The status of a request, and the cookie that its answer sets. */
async function ask(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers: { ...ownConnection, ...headers }, redirect: 'manual' });
  await response.body?.cancel();
  return { status: response.status, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

/** Opens the SDK's socket. @returns the status of the refusal; 101: it is open */
async function socketStatus(url: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/sdk`, { headers });
  onTestFinished(() => socket.terminate());
  socket.on('error', () => {});
  const opened = once(socket, 'open').then(() => 101);
  opened.catch(() => {});
  const refused = once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode as number);
  return Promise.race([opened, refused]);
}

test('every request needs a token, which the data folder has, also one to the socket of programs', async () => {
  await using daemon = await startTestDaemon({ requireToken: true });
  const file = join(daemon.dataDir, 'access-token');
  const token = await readFile(file, 'utf8');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { status, body } = await daemon.get('/api/apps/list');
  expect({ status, body }).toEqual({ status: 401, body: { error: expect.stringContaining('requires a token') } });
  for (const path of ['/', '/api/events', '/api/v1/openapi.json', '/anything'])
    expect({ path, status: (await ask(daemon.url + path)).status }).toEqual({ path, status: 401 });
  expect(await ask(`${daemon.url}/api/apps/list`, bearer(token))).toMatchObject({ status: 200 });
  expect(await socketStatus(daemon.url)).toBe(401);
  expect(await socketStatus(daemon.url, bearer('of no run'))).toBe(401);
  expect(await socketStatus(daemon.url, bearer(token))).toBe(101);
});

test('a browser signs in with a code there, and endpoints keep their own rules', async () => {
  await using daemon = await startTestDaemon({ requireToken: true });
  const { status, cookie } = await ask(daemon.newSignInUrl());
  expect(status).toBe(303);
  expect(await ask(`${daemon.url}/api/apps/list`, { cookie })).toMatchObject({ status: 200 });
  const { name, value } = daemon.newSessionCookie();
  expect(await ask(`${daemon.url}/api/apps/list`, { cookie: `${name}=${value}` })).toMatchObject({ status: 200 });
  expect(await ask(`${daemon.url}/endpoints/lab/chat/v1`)).toMatchObject({ status: 404 });
});

/** A proxy that adds no header, in front of a daemon at an address of this machine. @returns its address */
async function silentProxy(target: string, from: string): Promise<string> {
  const { port } = new URL(target);
  const proxy = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const host = `127.0.0.1:${port}`;
    const onward = httpRequest({
      host: '127.0.0.1',
      port,
      localAddress: from,
      method,
      path,
      headers: { ...headers, host },
    });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

/**
 * Does to the headers of a request what the example in SECURITY.md tells a proxy to do.
 * @returns the headers that the daemon gets
 */
async function throughExample(sent: Record<string, string>, address: string): Promise<Record<string, string>> {
  const text = (await readFile(join(import.meta.dirname, '../../../SECURITY.md'), 'utf8')).match(
    /```nginx\n(.*?)```/s,
  )?.[1];
  const own = (text ?? '').replaceAll('127.0.0.1:8000', address);
  const [, page = '', origin = ''] = /^ *(https:\S+) +(\S+);/m.exec(own) ?? [];
  const values: Record<string, string> = {
    $daemon_origin: sent['origin'] === page ? origin : (sent['origin'] ?? ''),
    $proxy_add_x_forwarded_for: '203.0.113.5',
  };
  const headers: Record<string, string> = { ...sent };
  for (const [, name = '', value = ''] of own.matchAll(/proxy_set_header +(\S+) +(\S+);/g))
    headers[name.toLowerCase()] = values[value] ?? value;
  if (headers['origin'] === '') delete headers['origin']; // as nginx does
  return headers;
}

test('through a proxy that is set up as SECURITY.md shows, the buttons of a signed-in dashboard work, and other pages do not', async () => {
  await using daemon = await startTestDaemon({ behindProxy: '192.0.2.7' });
  const { host } = new URL(daemon.url);
  const post = async (sent: Record<string, string>) => {
    const headers = await throughExample({ host: 'robot.example', ...sent }, host);
    const request = httpRequest(`${daemon.url}/api/apps/stop-current-app`, { method: 'POST', headers });
    const [answer] = await once(request.end(), 'response');
    answer.resume();
    return answer.statusCode as number;
  };
  const { cookie } = await ask(daemon.newSignInUrl());
  const page = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', cookie };
  expect(await post({ ...page, origin: 'https://robot.example' })).toBe(409); // no app runs
  expect(await post({ ...page, origin: 'https://robot.example', cookie: '' })).toBe(401);
  expect(await post({ ...page, origin: 'https://evil.example' })).toBe(403);
  expect(await post({ cookie })).toBe(409); // as a GET of a page, without Origin
});

// Only Linux has the whole of 127.0.0.0/8.
test.skipIf(process.platform !== 'linux')(
  'what the named proxy passes on needs a token, and this machine none',
  async () => {
    await using daemon = await startTestDaemon({ behindProxy: '127.0.0.7' });
    const list = '/api/apps/list';
    const [named, other] = [await silentProxy(daemon.url, '127.0.0.7'), await silentProxy(daemon.url, '127.0.0.8')];
    expect(await ask(named + list)).toMatchObject({ status: 401 });
    expect(await ask(named + list, { 'x-forwarded-for': '127.0.0.1' })).toMatchObject({ status: 401 });
    expect(await ask(named + list, bearer(await readFile(join(daemon.dataDir, 'access-token'), 'utf8')))).toMatchObject(
      {
        status: 200,
      },
    );
    expect(await ask(daemon.url + list)).toMatchObject({ status: 200 });
    expect(await ask(other + list)).toMatchObject({ status: 200 }); // it cannot be recognized
  },
);

test('beside a proxy at the same address, the window may show folders here, and what that passes on may not', async () => {
  const opened: string[] = [];
  const opener = async (path: string) => void opened.push(path);
  await using daemon = await startTestDaemon({ behindProxy: '127.0.0.1', opener });
  const post = async (path: string, cookie: string, body: object) => {
    const headers = { ...ownConnection, cookie, 'content-type': 'application/json' };
    const response = await fetch(daemon.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as { id: string; folder: string } };
  };
  const { name, value } = daemon.newSessionCookie();
  const window = `${name}=${value}`;
  const { body: app } = await post('/api/apps/own/create', window, { name: 'dance', destination: daemon.dataDir });
  expect(await post(`/api/apps/own/${app.id}/open`, window, {})).toMatchObject({ status: 200 });
  const { cookie: browser } = await ask(daemon.newSignInUrl());
  expect(await post(`/api/apps/own/${app.id}/open`, browser, {})).toMatchObject({ status: 409 });
  expect(opened).toEqual([app.folder]);
});
