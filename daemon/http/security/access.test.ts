import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccessTokens } from '../../access/access-tokens.ts';
import { systemClock, systemNow } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { localAccess, tokenAccess } from './access.ts';

const log = { warn: () => {} };
let folder: string;
let tokens: AccessTokens;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'access-'));
  tokens = new AccessTokens(join(folder, 'tokens.json'), { log: createLogger('error'), now: systemNow });
});
afterAll(() => rm(folder, { recursive: true }));

function from(remoteAddress: string, authorization?: string, method = 'GET', url = '/api/apps/list'): IncomingMessage {
  const socket = { remoteAddress, localAddress: '192.0.2.1' };
  return { socket, method, url, headers: authorization ? { authorization } : {} } as unknown as IncomingMessage;
}

test('this machine needs no token, on loopback and from its own external address', async () => {
  const access = await tokenAccess(systemClock, join(folder, 'a'), tokens, log);
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '192.0.2.1']) {
    expect(await access.mayEnter(from(address))).toBe(true);
    expect(await localAccess.mayEnter(from(address))).toBe(true);
  }
});

test('another machine needs the token, which is readable by its owner only and stays the same', async () => {
  const file = join(folder, 'b');
  const access = await tokenAccess(systemClock, file, tokens, log);
  const token = await readFile(file, 'utf8');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await access.mayEnter(from('192.0.2.7', `Bearer ${token}`))).toBe(true);
  for (const given of [undefined, 'Bearer', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`]) {
    expect(await access.mayEnter(from('192.0.2.7', given))).toBe(false);
  }
  expect(await localAccess.mayEnter(from('192.0.2.7', `Bearer ${token}`))).toBe(false);
  expect(await (await tokenAccess(systemClock, file, tokens, log)).mayEnter(from('192.0.2.7', `Bearer ${token}`))).toBe(
    true,
  );
});

test('for another machine, a token with the scope daemon allows everything, one with deploy the operations for deploying', async () => {
  const access = await tokenAccess(systemClock, join(folder, 'd'), tokens, log);
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
  const access = await tokenAccess(systemClock, file, tokens, log);
  const token = await readFile(file, 'utf8');
  expect(await access.mayEnter(from('192.0.2.7', `Bearer ${token}`))).toBe(true);
  const [aside = ''] = (await readdir(own)).filter((name) => name.startsWith('access-token.damaged-'));
  expect(await readFile(join(own, aside))).toEqual(Buffer.from(damage));
});

test('where no token can be stored, no token is accepted', async () => {
  const access = await tokenAccess(systemClock, join(folder, 'missing', 'access-token'), tokens, log);
  expect(await access.mayEnter(from('192.0.2.7', 'Bearer '))).toBe(false);
  expect(await access.mayEnter(from('127.0.0.1'))).toBe(true);
});
