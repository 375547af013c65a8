import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localAccess, tokenAccess } from './access.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'access-'));
});
afterAll(() => rm(folder, { recursive: true }));

function from(remoteAddress: string, authorization?: string): IncomingMessage {
  const socket = { remoteAddress, localAddress: '192.0.2.1' };
  return { socket, headers: authorization ? { authorization } : {} } as unknown as IncomingMessage;
}

test('this machine comes in without a token, on loopback and from its own outer address', async () => {
  const access = await tokenAccess(join(folder, 'a'));
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '192.0.2.1']) {
    expect(access.mayEnter(from(address))).toBe(true);
    expect(localAccess.mayEnter(from(address))).toBe(true);
  }
});

test('another machine needs the token, which only its owner may read and which stays the same', async () => {
  const file = join(folder, 'b');
  const access = await tokenAccess(file);
  const token = await readFile(file, 'utf8');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(access.mayEnter(from('192.0.2.7', `Bearer ${token}`))).toBe(true);
  for (const given of [undefined, 'Bearer', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`]) {
    expect(access.mayEnter(from('192.0.2.7', given))).toBe(false);
  }
  expect(localAccess.mayEnter(from('192.0.2.7', `Bearer ${token}`))).toBe(false);
  expect((await tokenAccess(file)).mayEnter(from('192.0.2.7', `Bearer ${token}`))).toBe(true);
});

test('a token file that was emptied opens nothing', async () => {
  const file = join(folder, 'c');
  await writeFile(file, '');
  await expect(tokenAccess(file)).rejects.toThrow('does not hold a token');
});
