/** Encrypts what must not lie readable on the disk. The desktop brings its system's keychain, others a key file. */
export interface SecretStore {
  /** @returns text that only this store can read again */
  encrypt(text: string): Promise<string>;
  /** @throws SecretUnreadable when it was encrypted by another store, or changed */
  decrypt(sealed: string): Promise<string>;
}
