/** Signing in to deploy with codes, tokens and cookies: the real daemon over real HTTP. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { AccessTokens } from '../../access/access-tokens.ts';
import { type DashboardSession, Session } from '../../contract/session.ts';
import { systemNow } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { newDataDir, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { movableClock } from '../../testing/movable-clock.ts';

const clock = movableClock();
let daemon: TestDaemon;
let tokens: AccessTokens;
beforeAll(async () => {
  daemon = await startTestDaemon({ clock });
  // Like another process of the same user.
  tokens = new AccessTokens(join(daemon.dataDir, 'tokens.json'), { log: createLogger('error'), now: systemNow });
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: any reply of the daemon
  readonly body: any;
  /** The cookie that a browser would send back. */
  readonly cookie: string;
}

/** Sends a request, also with headers that fetch does not allow. */
async function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<Answer> {
  const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const request = httpRequest(daemon.url + path, { method, headers: { ...json, ...headers } });
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = await once(request, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.headers['content-type']?.includes('json') ? JSON.parse(text) : text,
    cookie: response.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
  };
}
const session = async (headers: Record<string, string>) =>
  Session.parse((await ask('GET', '/api/session', headers)).body);
const newToken = (scopes = ['deploy'], namespaces: string[] | null = null) =>
  tokens.create({ name: null, scopes, namespaces });
const newSignInPath = () => daemon.newSignInUrl().slice(daemon.url.length);

const stranger = { signedIn: false, namespaces: [], namespace: 'local', isOwnUser: false };
const signedIn = { signedIn: true, namespaces: null, namespace: 'local', isOwnUser: true };

test('the address with the code signs a browser in, once', async () => {
  const path = newSignInPath();
  expect((await ask('HEAD', path)).cookie).toBe('');
  const first = await ask('GET', path);
  expect({ status: first.status, to: first.headers.location }).toEqual({ status: 303, to: '/#/signed-in' });
  expect(first.headers['cache-control']).toBe('no-store');
  const { port } = new URL(daemon.url);
  expect(first.headers['set-cookie']).toEqual([
    expect.stringMatching(
      new RegExp(
        `^robot-session-${port}=[\\w-]{43}; Max-Age=2592000; Path=/; Expires=[^;]+; HttpOnly; SameSite=Strict$`,
      ),
    ),
  ]);
  expect(await session({ Cookie: first.cookie })).toEqual(signedIn);
  expect((await ask('GET', '/v2/endpoint/local', { Cookie: first.cookie })).status).not.toBe(401);

  const again = await ask('GET', path);
  expect({ status: again.status, to: again.headers.location, cookie: again.cookie }).toEqual({
    status: 303,
    to: '/#/settings?sign-in=failed',
    cookie: '',
  });
  // Back or Reload in a browser that is signed in.
  expect((await ask('GET', path, { Cookie: first.cookie })).headers.location).toBe('/#/signed-in');
});

test.each([{ 'Sec-Purpose': 'prefetch;prerender' }, { Purpose: 'prefetch' }, { 'X-Moz': 'prefetch' }])(
  'a browser that fetches the address in advance does not use it up: %j',
  async (headers) => {
    const path = newSignInPath();
    expect(await ask('GET', path, headers as unknown as Record<string, string>)).toMatchObject({
      status: 503,
      cookie: '',
    });
    expect((await ask('GET', path)).headers.location).toBe('/#/signed-in');
  },
);

test.each(['', '?code=', '?code=wrong', '?code=a&code=b', `?code=${'x'.repeat(4_000)}`])(
  'a code that was never given leads to the settings, which say how to get one: /sign-in%s',
  async (query) => {
    const { status, headers, cookie } = await ask('GET', `/sign-in${query}`);
    expect({ status, to: headers.location, cookie }).toEqual({
      status: 303,
      to: '/#/settings?sign-in=failed',
      cookie: '',
    });
  },
);

test('a token signs in with its permissions; one that is unknown, or may not deploy, does not', async () => {
  const { text } = await newToken(['deploy'], ['lab', 'home']);
  const answer = await ask('PUT', '/api/session', {}, { token: text });
  const lab = { signedIn: true, namespaces: ['lab', 'home'], namespace: 'lab', isOwnUser: false };
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: lab });
  expect(answer.headers['set-cookie']?.[0]).toMatch(/HttpOnly; SameSite=Strict$/);
  expect(await session({ Cookie: answer.cookie })).toEqual(lab);
  expect(await session({ Authorization: `Bearer ${text}` })).toEqual(lab);

  const other = (await newToken(['daemon', 'endpoint:lab/chat'])).text;
  for (const token of ['wrong', other]) {
    const { status, headers, body, cookie } = await ask('PUT', '/api/session', {}, { token });
    expect({ status, body, cookie }).toEqual({ status: 401, body: { error: expect.any(String) }, cookie: '' });
    expect(headers['www-authenticate']).toBe('Bearer');
  }
  expect(await session({ Authorization: `Bearer ${other}` })).toEqual(stranger);
});

test('signing out ends the session and removes the cookie', async () => {
  const { cookie } = await ask('GET', newSignInPath());
  const out = await ask('DELETE', '/api/session', { Cookie: cookie });
  expect({ status: out.status, body: out.body }).toEqual({ status: 200, body: stranger });
  expect(out.headers['set-cookie']?.[0]).toMatch(/^robot-session-\d+=; Path=\/; Expires=Thu, 01 Jan 1970/);
  expect(await session({ Cookie: cookie })).toEqual(stranger);
});

/** Opens an event stream. `ended` resolves to what it sent. */
async function watch(headers: Record<string, string>) {
  const request = httpRequest(`${daemon.url}/api/events`, { headers, agent: false });
  request.end();
  const [response] = await once(request, 'response');
  onTestFinished(() => void request.destroy());
  let text = '';
  response.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  response.on('error', () => {}); // the test's end, or the daemon's
  const ended = new Promise<string>((resolve) => response.once('close', () => resolve(text)));
  return { cookie: response.headers['set-cookie']?.[0] ?? '', ended, isOpen: () => !response.closed };
}

test('the sessions are listed and ended, each with its event stream; the others go on', async () => {
  await ask('DELETE', '/api/sessions', { Cookie: (await ask('GET', newSignInPath())).cookie });
  const agents = ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'curl/8.0'];
  const [own = '', other = ''] = await Promise.all(
    agents.map(async (agent) => (await ask('GET', newSignInPath(), { 'User-Agent': agent })).cookie),
  );
  const listed = async () => (await ask('GET', '/api/sessions', { Cookie: own })).body as DashboardSession[];
  const streams = { own: await watch({ Cookie: own }), other: await watch({ Cookie: other }), none: await watch({}) };
  expect(streams.own.cookie).toContain('Max-Age=2592000');
  expect(streams.none.cookie).toBe('');
  const found = (await listed()).find(({ browser }) => browser === 'A program');
  expect((await listed()).find(({ isCurrent }) => isCurrent)).toMatchObject({
    browser: 'Firefox on Linux',
    token: null,
  });
  expect(found).toMatchObject({ isCurrent: false });

  for (const path of ['/api/sessions', `/api/sessions/${found?.id}`]) {
    expect((await ask(path === '/api/sessions' ? 'GET' : 'DELETE', path)).status).toBe(401);
  }
  const end = () => ask('DELETE', `/api/sessions/${found?.id}`, { Cookie: own });
  expect(await end()).toMatchObject({ status: 200, body: { ended: 1 } });
  expect(await streams.other.ended).toMatch(/data: {"type":"session.ended"}\n\n$/);
  expect(await session({ Cookie: other })).toEqual(stranger);
  expect((await end()).status).toBe(404);
  expect([streams.own.isOpen(), streams.none.isOpen()]).toEqual([true, true]);

  await ask('DELETE', '/api/session', { Cookie: own });
  expect(await streams.own.ended).toMatch(/"session.ended"/);
  expect(streams.none.isOpen()).toBe(true);
});

test('the stream of a session ends with the token that opened it, also when another process revokes that', async () => {
  const { text, token } = await newToken();
  const { cookie } = await ask('PUT', '/api/session', {}, { token: text });
  const stream = await watch({ Cookie: cookie });
  await tokens.revoke(token.id);
  expect(await clock.during(stream.ended)).toMatch(/"session.ended"/); // looked at before each heartbeat
});

test('the window gets its cookie directly, and none that outlives it', async () => {
  const { name, value } = daemon.newSessionCookie();
  expect(await session({ Cookie: `${name}=${value}` })).toEqual(signedIn);
  expect((await watch({ Cookie: `${name}=${value}` })).cookie).toBe('');
});

test('a browser stays signed in over a restart of the daemon on the same data folder', async () => {
  const dataDir = await newDataDir();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const first = await startTestDaemon({ dataDir });
  const port = Number(new URL(first.url).port);
  const reply = await fetch(first.newSignInUrl(), { redirect: 'manual' });
  const Cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  const window = first.newSessionCookie();
  await first.stop();
  await using second = await startTestDaemon({ dataDir, port });
  const signedInNow = async (cookie: string) =>
    Session.parse(await (await fetch(`${second.url}/api/session`, { headers: { Cookie: cookie } })).json()).signedIn;
  expect(await signedInNow(Cookie)).toBe(true);
  expect(await signedInNow(`${window.name}=${window.value}`)).toBe(false);
});

test('behind a proxy nobody counts as this machine; a dashboard signs in there with the address of the command', async () => {
  const behind = (more: Record<string, string> = {}) => ({ 'X-Forwarded-For': '127.0.0.1', ...more });
  const install = { url: '/somewhere' };
  const refused = await ask('POST', '/api/apps/install', behind(), install);
  expect([refused.status, refused.body.error]).toEqual([401, expect.stringMatching(/^A proxy or a tunnel passed/)]);
  expect((await ask('GET', '/', behind())).status).toBe(401);
  expect((await ask('GET', '/api/apps/list', behind())).status).toBe(401);
  const { cookie, status } = await ask('GET', newSignInPath(), behind());
  expect(status).toBe(303);
  expect((await ask('GET', '/api/apps/list', behind({ cookie }))).status).toBe(200);
  expect(await session(behind({ cookie }))).toEqual(signedIn);
  const { text } = await newToken(['daemon']);
  expect((await ask('GET', '/api/apps/list', behind({ authorization: `Bearer ${text}` }))).status).toBe(200);
  await ask('DELETE', '/api/session', behind({ cookie }));
  expect((await ask('GET', '/api/apps/list', behind({ cookie }))).status).toBe(401);
});

test("a dashboard of this machine's own user lets another browser in with a code, in its address too", async () => {
  const { name, value } = daemon.newSessionCookie();
  const window = { Cookie: `${name}=${value}` };
  const newCode = async () => (await ask('POST', '/api/session/code', window)).body as { code: string };
  for (const change of [(code: string) => code, (code: string) => code.toLowerCase().replaceAll('-', '')]) {
    const path = `/sign-in?code=${change((await newCode()).code)}`;
    const { cookie, headers } = await ask('GET', path);
    expect(headers.location).toBe('/#/signed-in');
    expect(await session({ Cookie: cookie })).toEqual(signedIn);
    expect((await ask('GET', path)).headers.location).toBe('/#/settings?sign-in=failed');
  }
  const { code } = await newCode();
  await ask('DELETE', '/api/session', window);
  expect((await ask('GET', `/sign-in?code=${code}`)).cookie).toBe('');
});

test('tokens are made, listed with their last use, and revoked by the own user, with the sessions that they opened', async () => {
  const own = { Cookie: (await ask('GET', newSignInPath())).cookie };
  const request = { name: 'poet', scopes: ['endpoint:lab/poet', 'deploy'] };
  const { status, body: made } = await ask('POST', '/api/tokens', own, request);
  expect({ status, made }).toEqual({
    status: 200,
    made: {
      text: expect.stringMatching(/^rd_[\w-]{43}$/),
      token: {
        ...{ id: expect.stringMatching(/^[0-9a-f]{16}$/), name: 'poet', scopes: request.scopes, namespaces: null },
        ...{ createdAt: expect.any(String), lastUsedAt: null },
      },
    },
  });
  const { cookie } = await ask('PUT', '/api/session', {}, { token: made.text });
  const [newest] = (await ask('GET', '/api/tokens', own)).body;
  expect(newest).toEqual({ ...made.token, lastUsedAt: expect.any(String) });
  await clock.pass(1_000);
  await session({ Cookie: cookie });
  const [used] = (await ask('GET', '/api/tokens', own)).body;
  expect(Date.parse(used.lastUsedAt) - Date.parse(newest.lastUsedAt)).toBeGreaterThanOrEqual(1_000);
  expect((await ask('GET', '/api/tokens', { Cookie: cookie })).status).toBe(403);
  const left = await ask('DELETE', `/api/tokens/${made.token.id}`, own);
  expect({ status: left.status, names: left.body.map((each: { name: string }) => each.name) }).toEqual({
    ...{ status: 200, names: expect.not.arrayContaining(['poet']) },
  });
  expect(await session({ Cookie: cookie })).toEqual(stranger);
  expect((await ask('DELETE', `/api/tokens/${made.token.id}`, own)).status).toBe(404);
});

test('the token that a command lends to itself is in no list, and its uses are not noted', async () => {
  const own = { Cookie: (await ask('GET', newSignInPath())).cookie };
  const { text, token } = await tokens.create({ name: null, scopes: ['deploy'], namespaces: null, ofTerminal: true });
  const list = await ask('GET', '/api/tokens', { Authorization: `Bearer ${text}` });
  expect(list.status).toBe(200);
  const ids = ((await ask('GET', '/api/tokens', own)).body as { id: string }[]).map(({ id }) => id);
  expect(ids).not.toContain(token.id);
});
