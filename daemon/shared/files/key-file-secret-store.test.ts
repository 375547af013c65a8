import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { keyFileSecretStore, SecretUnreadable } from './key-file-secret-store.ts';

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));
async function keyFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-secrets-'));
  folders.push(folder);
  return join(folder, 'secret-key');
}

test.each(['token', '', 'ünïcode 🤖', 'x'.repeat(100_000)])(
  '%.20j can be read again, also after a restart',
  async (text) => {
    const file = await keyFile();
    const sealed = await keyFileSecretStore(file).encrypt(text);
    if (text) expect(sealed).not.toContain(text);
    expect(await keyFileSecretStore(file).decrypt(sealed)).toBe(text);
  },
);

test('encrypting a text twice gives different results', async () => {
  const store = keyFileSecretStore(await keyFile());
  expect(await store.encrypt('a')).not.toBe(await store.encrypt('a'));
});

test('daemons that create a key at the same time share one, readable by its owner only, and leave no other file', async () => {
  const file = await keyFile();
  const stores = Array.from({ length: 8 }, () => keyFileSecretStore(file));
  const sealed = await Promise.all(stores.map((store, index) => store.encrypt(`secret ${index}`)));
  const last = stores[7] as (typeof stores)[0];
  expect(await Promise.all(sealed.map((one) => last.decrypt(one)))).toEqual(
    stores.map((_, index) => `secret ${index}`),
  );
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(file, '..'))).toEqual(['secret-key']);
});

test('a key file that others can read is made private', async () => {
  const file = await keyFile();
  await keyFileSecretStore(file).encrypt('a');
  await chmod(file, 0o644);
  await keyFileSecretStore(file).encrypt('a');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a changed or truncated secret, or one of another key, cannot be read', async () => {
  const file = await keyFile();
  const store = keyFileSecretStore(file);
  const sealed = await store.encrypt('secret');
  for (let at = 0; at < sealed.length - 1; at += 1) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    await expect(store.decrypt(changed)).rejects.toThrow(SecretUnreadable);
  }
  for (const other of ['', 'secret', sealed.slice(0, -4), sealed.slice(0, 20), 'key-file:2:AAAA']) {
    await expect(store.decrypt(other)).rejects.toThrow(SecretUnreadable);
  }
  await rm(file);
  await expect(keyFileSecretStore(file).decrypt(sealed)).rejects.toThrow(SecretUnreadable);
});

test('an error names a key file without a key, and the file stays as it is', async () => {
  const file = await keyFile();
  await writeFile(file, 'not a key');
  await expect(keyFileSecretStore(file).encrypt('a')).rejects.toThrow(file);
  expect(await readFile(file, 'utf8')).toBe('not a key');
});
