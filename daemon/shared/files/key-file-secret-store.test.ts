import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, expect, test } from 'vitest';
import { keyFileSecretStore, readKey, SecretKeyUnavailable, SecretUnreadable } from './key-file-secret-store.ts';

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

const noKeys: readonly (readonly [string, string | Buffer])[] = [
  ['empty', ''],
  ['text', 'not a key'],
  ['half a key', randomBytes(32).toString('base64url').slice(0, 20)],
  ['bytes', randomBytes(300)],
  ['a longer key', randomBytes(48).toString('base64url')],
];

test.each(noKeys)('a file that holds no key (%s) is set aside by the next secret, and named', async (_, content) => {
  const file = await keyFile();
  const before = await keyFileSecretStore(file).encrypt('before');
  await writeFile(file, content);
  const logged: string[] = [];
  const store = keyFileSecretStore(file, { warn: (line) => void logged.push(line) });
  await expect(store.decrypt(before)).rejects.toThrow(SecretUnreadable);
  expect(await readFile(file)).toEqual(Buffer.from(content)); // reading changes nothing

  const sealed = await Promise.all(['a', 'b', 'c'].map((text) => store.encrypt(text)));
  expect(await Promise.all(sealed.map((one) => keyFileSecretStore(file).decrypt(one)))).toEqual(['a', 'b', 'c']);
  await expect(store.decrypt(before)).rejects.toThrow(SecretUnreadable);
  const [, aside = '', ...more] = (await readdir(join(file, '..'))).sort();
  expect([aside, more]).toEqual([expect.stringMatching(/^secret-key\.damaged-\d{8}T\d{9}$/), []]);
  expect(await readFile(join(file, '..', aside))).toEqual(Buffer.from(content));
  expect(logged).toEqual([
    `${file} holds no key: it is set aside as ${join(file, '..', aside)}, and secrets from before cannot be read and must be set again`,
  ]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a key that is damaged or removed while the daemon runs is written again, so that no secret is lost', async () => {
  const file = await keyFile();
  const store = keyFileSecretStore(file);
  const before = await store.encrypt('before');
  for (const damage of [() => writeFile(file, 'x'), () => rm(file)]) {
    await damage();
    expect(await store.decrypt(before)).toBe('before');
    await store.encrypt('after');
    expect(await keyFileSecretStore(file).decrypt(before)).toBe('before');
  }
});

test('a key that an editor ended with a line feed, or padded, is a key', async () => {
  const file = await keyFile();
  const sealed = await keyFileSecretStore(file).encrypt('a');
  await writeFile(file, `${await readFile(file, 'utf8')}=\n`);
  expect(await keyFileSecretStore(file).decrypt(sealed)).toBe('a');
});

test('a file that cannot be read is no damaged one: nothing is changed', async () => {
  const file = await keyFile();
  await symlink('secret-key', file); // a link to itself cannot be read, whoever asks
  const store = keyFileSecretStore(file);
  const refusal = `${file}, cannot be read (ELOOP).`;
  await expect(store.encrypt('a')).rejects.toThrow(refusal);
  await expect(store.decrypt(`key-file:1:${'A'.repeat(60)}`)).rejects.toThrow(refusal);
  expect(await readdir(join(file, '..'))).toEqual(['secret-key']);
});

test('a link to a key on a disk that is not connected stays, and is named', async () => {
  const file = await keyFile();
  await symlink(`${file}-on-another-disk`, file);
  const store = keyFileSecretStore(file);
  await expect(store.encrypt('a')).rejects.toThrow(`${file}, is a link to a file that does not exist.`);
  await expect(store.decrypt(`key-file:1:${'A'.repeat(60)}`)).rejects.toThrow(SecretKeyUnavailable);
  expect(await readdir(join(file, '..'))).toEqual(['secret-key']);
  await keyFileSecretStore(`${file}-on-another-disk`).encrypt('a');
  expect(await store.decrypt(await store.encrypt('a'))).toBe('a');
});

test.skipIf(process.platform === 'win32')('a pipe in its place holds no key, and is not waited for', async () => {
  const file = await keyFile();
  await execa('mkfifo', [file]);
  expect(await readKey(file)).toBe('damaged');
  const store = keyFileSecretStore(file);
  expect(await store.decrypt(await store.encrypt('a'))).toBe('a');
});
