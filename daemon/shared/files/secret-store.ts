import type { SecretKeeping } from '../../contract/daemon.ts';

/** Encrypts secrets for storage on disk: the desktop with the system's keychain, others with a key file. */
export interface SecretStore {
  /** @returns text that only this store can decrypt @throws StorageError, SecretKeyUnavailable when its key cannot be kept or read */
  encrypt(text: string): Promise<string>;
  /** @throws SecretUnreadable when it was encrypted by another store, or changed; StorageError or SecretKeyUnavailable when the key may not be read */
  decrypt(sealed: string): Promise<string>;
  /** How it encrypts now, for its user. @returns null: not known yet */
  keeping(): SecretKeeping | null;
}
