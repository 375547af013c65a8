import { expect, test } from 'vitest';
import { SecretUnreadable } from '../daemon/shared/files/key-file-secret-store.ts';
import type { SecretStore } from '../daemon/shared/files/secret-store.ts';
import { type SafeStorageDeps, safeStorageSecrets } from './safe-storage-secrets.ts';

type Backend = ReturnType<SafeStorageDeps['safeStorage']['getSelectedStorageBackend']>;

/** Like Electron's: unavailable until Electron is ready, and throws for texts that it has not encrypted. */
class FakeSafeStorage {
  ready = false;
  available = true;
  backend: Backend = 'gnome_libsecret';
  isEncryptionAvailable = () => this.ready && this.available;
  getSelectedStorageBackend = () => this.backend;
  encryptString = (text: string) => Buffer.from(`locked ${Buffer.from(text).toString('hex')}`);
  decryptString = (sealed: Buffer) => {
    const [lock, text = ''] = sealed.toString().split(/ (.*)/s);
    if (lock !== 'locked')
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptString.');
    return Buffer.from(text, 'hex').toString();
  };
}
const inFile = { kept: 'key-file', file: '/data/key', reason: 'as a daemon alone', action: '' } as const;
const keyFile: SecretStore = {
  keeping: () => inFile,
  encrypt: async (text) => `key-file:${text}`,
  decrypt: async (sealed) => sealed.replace('key-file:', ''),
};

function store(platform: NodeJS.Platform = 'darwin') {
  const safeStorage = new FakeSafeStorage();
  const whenReady = async () => {
    safeStorage.ready = true;
  };
  return { safeStorage, secrets: safeStorageSecrets({ safeStorage, whenReady, platform, fallback: keyFile }) };
}

test.each(['darwin', 'win32', 'linux'] as const)(
  'on %s the keychain encrypts, once Electron is ready',
  async (platform) => {
    const { secrets } = store(platform);
    const sealed = await secrets.encrypt('a secret, ünïcode too');
    expect(sealed).toMatch(/^keychain:1:/);
    expect(await secrets.decrypt(sealed)).toBe('a secret, ünïcode too');
  },
);

test('without a keychain the key file is used', async () => {
  const { safeStorage, secrets } = store();
  safeStorage.available = false;
  expect(await secrets.encrypt('a')).toBe('key-file:a');
});

test('on Linux the fixed password does not count as a keychain', async () => {
  for (const [platform, sealed] of [
    ['linux', /^key-file:/],
    ['darwin', /^keychain:/],
  ] as const) {
    const { safeStorage, secrets } = store(platform);
    safeStorage.backend = 'basic_text';
    expect(await secrets.encrypt('a')).toMatch(sealed);
  }
});

test('secrets from the key file can still be read once there is a keychain', async () => {
  expect(await store().secrets.decrypt('key-file:a')).toBe('a');
});

test('an unreadable secret throws SecretUnreadable', async () => {
  const { safeStorage, secrets } = store();
  const foreign = `keychain:1:${Buffer.from('of another user').toString('base64')}`;
  await expect(secrets.decrypt(foreign)).rejects.toThrow(SecretUnreadable);
  const sealed = await secrets.encrypt('a');
  safeStorage.available = false;
  await expect(secrets.decrypt(sealed)).rejects.toThrow(SecretUnreadable);
});

test('it tells how it keeps secrets once Electron is ready: by the keychain, or in a file, why and what to do', async () => {
  const { safeStorage, secrets } = store('linux');
  expect(secrets.keeping()).toBeNull();
  await secrets.encrypt('a');
  expect(secrets.keeping()).toEqual({ kept: 'keychain' });
  safeStorage.backend = 'basic_text';
  expect(secrets.keeping()).toEqual({
    kept: 'key-file',
    file: '/data/key',
    reason: 'This desktop has no keychain, or it is locked.',
    action: expect.stringContaining('GNOME Keyring or KWallet'),
  });
  safeStorage.available = false;
  expect(secrets.keeping()).toMatchObject({ kept: 'key-file' });
  const mac = store('darwin');
  await mac.secrets.encrypt('a');
  mac.safeStorage.available = false;
  expect(mac.secrets.keeping()).toMatchObject({ reason: "The system's keychain does not answer." });
});
