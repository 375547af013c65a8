import type { SafeStorage } from 'electron';
import { SecretUnreadable } from '../daemon/shared/files/key-file-secret-store.ts';
import type { SecretStore } from '../daemon/shared/files/secret-store.ts';

export interface SafeStorageDeps {
  readonly safeStorage: Pick<
    SafeStorage,
    'isEncryptionAvailable' | 'encryptString' | 'decryptString' | 'getSelectedStorageBackend'
  >;
  /** Resolves once Electron knows the system's keychain. */
  readonly whenReady: () => Promise<unknown>;
  readonly platform: NodeJS.Platform;
  /** For systems without a keychain, and for secrets from before there was one. */
  readonly fallback: SecretStore;
}

/** Marks texts of this store. */
const FORMAT = 'keychain:1:';

const noKeychainOnLinux = {
  reason: 'This desktop has no keychain, or it is locked.',
  action:
    'Install and unlock one, such as GNOME Keyring or KWallet, start Robot Desktop again, and enter your secrets again.',
};
const noKeychain = {
  reason: "The system's keychain does not answer.",
  action: 'Unlock it, start Robot Desktop again, and enter your secrets again.',
};

/** Encrypts with the system's keychain if it has one, else with `fallback`. */
export function safeStorageSecrets({ safeStorage, whenReady, platform, fallback }: SafeStorageDeps): SecretStore {
  let isReady = false;
  const ready = whenReady().then(() => {
    isReady = true;
  });
  const hasKeychain = () => {
    if (!safeStorage.isEncryptionAvailable()) return false;
    // Electron's name for a fixed, public password.
    return platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text';
  };
  const isUsable = () => ready.then(hasKeychain);
  return {
    keeping() {
      if (!isReady) return null;
      if (hasKeychain()) return { kept: 'keychain' };
      const inFile = fallback.keeping();
      return inFile && { ...inFile, ...(platform === 'linux' ? noKeychainOnLinux : noKeychain) };
    },
    async encrypt(text) {
      if (!(await isUsable())) return fallback.encrypt(text);
      return FORMAT + safeStorage.encryptString(text).toString('base64');
    },
    async decrypt(sealed) {
      if (!sealed.startsWith(FORMAT)) return fallback.decrypt(sealed);
      if (!(await isUsable())) throw new SecretUnreadable();
      try {
        return safeStorage.decryptString(Buffer.from(sealed.slice(FORMAT.length), 'base64'));
      } catch (error) {
        throw new SecretUnreadable(error);
      }
    },
  };
}
