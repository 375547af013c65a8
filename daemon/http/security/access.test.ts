import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessTokenIn } from '../../access/access-token-file.ts';
import { AccessTokens } from '../../access/access-tokens.ts';
import { systemClock, systemNow } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { accessFor } from './access.ts';
import { RequestSources, type SourceRules } from './request-sources.ts';

const log = { warn: () => {} };
let folder: string;
let tokens: AccessTokens;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'access-'));
  tokens = new AccessTokens(join(folder, 'tokens.json'), { log: createLogger('error'), now: systemNow });
});
afterAll(() => rm(folder, { recursive: true }));

/** A cookie of a dashboard that is signed in. */
const SIGNED_IN = 'robot-session-8000=signed-in';

function from(remoteAddress: string, authorization?: string, method = 'GET', url = '/api/apps/list', more = {}) {
  const socket = { remoteAddress, localAddress: '192.0.2.1' };
  const headers = { ...(authorization ? { authorization } : {}), ...more };
  return { socket, method, url, headers } as unknown as IncomingMessage;
}

/** Access to a daemon, for other machines too if a file for the access token is named. */
async function accessWith(file: string | null, rules: Partial<SourceRules> = {}) {
  const accessToken = file === null ? null : await accessTokenIn(systemClock, file, log);
  const dashboard = {
    kind: 'session',
    id: 'dashboard',
    name: 'dashboard',
    scopes: ['deploy'],
    namespaces: null,
  } as const;
  const access = accessFor(accessToken, {
    tokens,
    isRunToken: (text) => text === 'of-the-run',
    sources: new RequestSources({ requireToken: false, behindProxy: null, ...rules }),
    authenticate: async ({ headers }) => (headers.cookie === SIGNED_IN ? dashboard : null),
  });
  const refusal = (request: IncomingMessage) => access.refusal(request, request.url?.split('?')[0] ?? '');
  return { refusal, mayEnter: async (request: IncomingMessage) => (await refusal(request)) === null };
}

test('this machine needs no token, on loopback and from its own external address', async () => {
  const access = await accessWith(join(folder, 'a'));
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '192.0.2.1']) {
    expect(await access.mayEnter(from(address))).toBe(true);
    expect(await (await accessWith(null)).mayEnter(from(address))).toBe(true);
  }
});

test('another machine needs the token, which is readable by its owner only and stays the same', async () => {
  const file = join(folder, 'b');
  const access = await accessWith(file);
  const token = await readFile(file, 'utf8');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await access.mayEnter(from('192.0.2.7', `Bearer ${token}`))).toBe(true);
  for (const given of [undefined, 'Bearer', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`]) {
    expect(await access.mayEnter(from('192.0.2.7', given))).toBe(false);
  }
  expect(await (await accessWith(null)).mayEnter(from('192.0.2.7', `Bearer ${token}`))).toBe(false);
  expect(await (await accessWith(file)).mayEnter(from('192.0.2.7', `Bearer ${token}`))).toBe(true);
});

test('for another machine, a token with the scope daemon allows everything, one with deploy the operations for deploying', async () => {
  const access = await accessWith(join(folder, 'd'));
  const bearer = async (scope: string) =>
    `Bearer ${(await tokens.create({ name: null, scopes: [scope], namespaces: null })).text}`;
  const [daemon, deploy, endpoint] = [
    await bearer('daemon'),
    await bearer('deploy'),
    await bearer('endpoint:lab/chat'),
  ];
  const may = (authorization: string, method: string, url: string) =>
    access.mayEnter(from('192.0.2.7', authorization, method, url));
  for (const [method, url, mayDaemon, mayDeploy] of [
    ['GET', '/api/apps/list', true, false],
    ['POST', '/api/apps/install', true, false],
    ['GET', '/ws/sdk', true, false],
    ['GET', '/', true, false],
    ['PUT', '/api/session', true, false],
    ['POST', '/api/v1/catalog/model/ann/tiny/deploy', true, true],
    ['GET', '/v2/endpoint/local?limit=1', true, true],
    ['POST', '/api/apps/install?/v2/endpoint/local', true, false],
  ] as const) {
    expect({
      url,
      may: [await may(daemon, method, url), await may(deploy, method, url), await may(endpoint, method, url)],
    }).toEqual({
      url,
      may: [mayDaemon, mayDeploy, false],
    });
  }
  await tokens.revoke('token-1');
  expect(await may(daemon, 'GET', '/api/apps/list')).toBe(false);
});

test.each([
  ['empty', ''],
  ['cut short', 'abcdefgh'],
  ['no text', randomBytes(300)],
])('a token file that is %s is set aside, and another machine needs the new token', async (_, damage) => {
  const own = await mkdtemp(join(folder, 'damaged-'));
  const file = join(own, 'access-token');
  await writeFile(file, damage);
  const access = await accessWith(file);
  const token = await readFile(file, 'utf8');
  expect(await access.mayEnter(from('192.0.2.7', `Bearer ${token}`))).toBe(true);
  const [aside = ''] = (await readdir(own)).filter((name) => name.startsWith('access-token.damaged-'));
  expect(await readFile(join(own, aside))).toEqual(Buffer.from(damage));
});

test('where no token can be stored, no token is accepted', async () => {
  const access = await accessWith(join(folder, 'missing', 'access-token'));
  expect(await access.mayEnter(from('192.0.2.7', 'Bearer '))).toBe(false);
  expect(await access.mayEnter(from('127.0.0.1'))).toBe(true);
});

test.each([
  ['forwarded', 'for=198.51.100.7'],
  ['x-forwarded-for', '127.0.0.1'],
  ['x-forwarded-proto', 'https'],
  ['x-real-ip', ''],
  ['via', '1.1 proxy'],
  ['cf-connecting-ip', '198.51.100.7'],
  ['tailscale-user-login', 'ada@example.org'],
])('what a proxy of this machine passes on (%s) needs a token or a signed-in dashboard', async (name, value) => {
  const access = await accessWith(null);
  const may = (headers: object, authorization?: string, url = '/api/apps/install', method = 'POST') =>
    access.mayEnter(from('127.0.0.1', authorization, method, url, { [name]: value, ...headers }));
  const [daemon, deploy] = await Promise.all(
    ['daemon', 'deploy'].map(async (scope) => {
      const { text } = await tokens.create({ name: null, scopes: [scope], namespaces: null });
      return `Bearer ${text}`;
    }),
  );
  expect(await may({})).toBe(false);
  expect(await may({ cookie: 'robot-session-8000=x' })).toBe(false);
  expect(await may({ cookie: SIGNED_IN })).toBe(true);
  expect(await may({}, daemon)).toBe(true);
  expect(await may({}, deploy)).toBe(false);
  expect(await may({}, deploy, '/v2/endpoint/local', 'GET')).toBe(true);
  expect(await may({}, undefined, '/', 'GET')).toBe(false);
  expect(await may({}, undefined, '/sign-in?code=x', 'GET')).toBe(true);
  const refusal = await access.refusal(from('127.0.0.1', undefined, 'GET', '/', { [name]: value }));
  expect(refusal?.message).toMatch(/^A proxy or a tunnel passed this request on, .*robot-daemon sign-in/);
});

test('a header of no proxy changes nothing', async () => {
  const access = await accessWith(null);
  for (const name of ['x-forward', 'viator', 'x-robot-run-token', 'cookie', 'user-agent', 'accept-encoding'])
    expect(await access.mayEnter(from('127.0.0.1', undefined, 'GET', '/', { [name]: 'x' }))).toBe(true);
});

test('where every request needs a token, this machine needs one too', async () => {
  const file = join(folder, 'required');
  const access = await accessWith(file, { requireToken: true });
  const token = await readFile(file, 'utf8');
  const scoped = async (scope: string) => {
    const { text } = await tokens.create({ name: null, scopes: [scope], namespaces: null });
    return `Bearer ${text}`;
  };
  const [daemon, deploy, endpoint] = await Promise.all(['daemon', 'deploy', 'endpoint:lab/chat'].map(scoped));
  const paths = ['/', '/api/apps/install', '/v2/endpoint/local', '/sign-in?code=x', '/ws/sdk', '/api/daemon/status'];
  const allowed = async (authorization?: string, more = {}) => {
    const may = paths.map((path) => access.mayEnter(from('127.0.0.1', authorization, 'GET', path, more)));
    const answers = await Promise.all(may);
    return paths.filter((_, index) => answers[index]);
  };
  const signIn = '/sign-in?code=x';
  expect(await allowed()).toEqual([signIn]);
  expect(await allowed('Bearer unknown')).toEqual([signIn]);
  expect(await allowed(endpoint)).toEqual([signIn]);
  expect(await allowed(`Bearer ${token}`)).toEqual(paths);
  expect(await allowed(daemon)).toEqual(paths);
  expect(await allowed(deploy)).toEqual(['/v2/endpoint/local', signIn]);
  expect(await allowed(undefined, { cookie: SIGNED_IN })).toEqual(paths);
  expect(await allowed('Bearer of-the-run')).toEqual([signIn, '/ws/sdk', '/api/daemon/status']);
  expect(await allowed('Bearer of-the-run', { via: '1.1 proxy' })).toEqual([signIn]);
  const refusal = await access.refusal(from('127.0.0.1'));
  expect(refusal?.message).toMatch(
    /^This daemon requires a token of every request: send .*access-token.*sign-in" prints\.$/,
  );
});

test('the token of a run does not let another machine in', async () => {
  const access = await accessWith(join(folder, 'run'), { requireToken: true });
  expect(await access.mayEnter(from('192.0.2.7', 'Bearer of-the-run', 'GET', '/ws/sdk'))).toBe(false);
});

const PASSED_ON = /^A proxy or a tunnel passed this request on/;
const LIKE_PROXY =
  /^This daemon treats every request from this address .*, so your own programs need a token, too: send .*access-token/;
test.each([
  ['127.0.0.1', '127.0.0.1', LIKE_PROXY],
  ['127.0.0.1', '::ffff:127.0.0.1', LIKE_PROXY],
  ['::1', '::1', LIKE_PROXY],
  ['::1', '0:0:0:0:0:0:0:1', PASSED_ON],
  ['192.0.2.1', '192.0.2.1', LIKE_PROXY],
  ['192.0.2.7', '::ffff:192.0.2.7', PASSED_ON],
])(
  'what the named proxy (%s) sends from %s needs a token or a sign-in, also without a header',
  async (behindProxy, peer, reason) => {
    const access = await accessWith(join(folder, 'proxied'), { behindProxy });
    const token = await readFile(join(folder, 'proxied'), 'utf8');
    expect(await access.mayEnter(from(peer))).toBe(false);
    expect(await access.mayEnter(from(peer, `Bearer ${token}`))).toBe(true);
    expect(await access.mayEnter(from(peer, undefined, 'GET', '/sign-in?code=x'))).toBe(true);
    expect(await access.mayEnter(from(peer, undefined, 'GET', '/', { cookie: SIGNED_IN }))).toBe(true);
    expect((await access.refusal(from(peer)))?.message).toMatch(reason);
    const passedOn = from(peer, undefined, 'GET', '/', { via: '1.1 proxy' });
    expect((await access.refusal(passedOn))?.message).toMatch(PASSED_ON);
    expect(await access.mayEnter(from('127.0.0.9'))).toBe(true);
    expect(await access.mayEnter(from('192.0.2.8', undefined, 'GET', '/sign-in?code=x'))).toBe(false);
  },
);
