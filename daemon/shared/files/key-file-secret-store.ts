import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, open, readFile, rm } from 'node:fs/promises';
import { lazy } from '../async/lazy.ts';
import { DomainError } from '../domain-error.ts';
import type { SecretStore } from './secret-store.ts';

/** The secret cannot be decrypted here: another machine or user encrypted it, or it was changed. */
export class SecretUnreadable extends DomainError {
  constructor(cause?: unknown) {
    super('A saved secret can no longer be read. Enter it again.', { cause });
  }
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Marks texts of this store and format. */
const FORMAT = 'key-file:1:';

/**
 * Encrypts with a key from a file, created at the first use and readable by its owner only. It keeps secrets out of
 * copies and backups of other files, not from programs that can read the owner's files.
 */
export function keyFileSecretStore(keyFile: string): SecretStore {
  const key = lazy(() => readOrCreateKey(keyFile));
  return {
    async encrypt(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, await key(), nonce).setAAD(Buffer.from(FORMAT));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return FORMAT + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    async decrypt(sealed) {
      const bytes = Buffer.from(sealed.slice(FORMAT.length), 'base64url');
      if (!sealed.startsWith(FORMAT) || bytes.length < NONCE_BYTES + TAG_BYTES) throw new SecretUnreadable();
      const decipher = createDecipheriv(CIPHER, await key(), bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(FORMAT))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch (error) {
        throw new SecretUnreadable(error);
      }
    },
  };
}

async function readOrCreateKey(keyFile: string): Promise<Buffer> {
  const key = (await readKey(keyFile)) ?? (await createKey(keyFile));
  if (key.length !== KEY_BYTES) {
    throw new Error(`${keyFile} does not hold a key. Remove it, then enter the saved secrets again.`);
  }
  return key;
}

async function readKey(keyFile: string): Promise<Buffer | null> {
  try {
    await chmod(keyFile, 0o600);
    return Buffer.from(await readFile(keyFile, 'utf8'), 'base64url');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Creates the file with its key in one step; if another process was first, its key is used. */
async function createKey(keyFile: string): Promise<Buffer> {
  const draft = `${keyFile}.${randomUUID()}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    await file.writeFile(randomBytes(KEY_BYTES).toString('base64url'));
    await file.sync();
    await file.close();
    await link(draft, keyFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readKey(keyFile)) ?? Buffer.alloc(0);
}
