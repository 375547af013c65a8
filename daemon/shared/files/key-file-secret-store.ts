import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Mutex } from '../async/mutex.ts';
import { systemNow } from '../clock.ts';
import { Conflict, DomainError, isSystemError } from '../domain-error.ts';
import type { Logger } from '../logger.ts';
import { DamagedFile, readTextFile } from './json-file.ts';
import type { SecretStore } from './secret-store.ts';
import { asideName } from './set-aside.ts';
import { savingIn } from './storage-errors.ts';

/** The secret cannot be decrypted here: another machine or user encrypted it, or it was changed. */
export class SecretUnreadable extends Conflict {
  constructor(cause?: unknown) {
    super('A saved secret can no longer be read. Enter it again.', { cause });
  }
}

/** The key may come back by itself, such as with the disk that the key file links to: no other one replaces it. */
export class SecretKeyUnavailable extends DomainError {
  readonly action = 'Make it readable, or run "robot-daemon doctor", then try again.';

  constructor(keyFile: string, cause: NodeJS.ErrnoException) {
    const problem =
      cause.code === 'ENOENT' ? 'is a link to a file that does not exist' : `cannot be read (${cause.code})`;
    super(`The key that encrypts secrets, ${keyFile}, ${problem}.`, { cause });
  }
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** A key as text: 43 characters, which some editors of the file may end with a line feed or pad. */
const KEY_TEXT = /^[\w+/-]{43}=?$/;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Marks texts of this store and format. */
const FORMAT = 'key-file:1:';

/**
 * Encrypts with a key from a file, created at the first use and readable by its owner only. It keeps secrets out of
 * copies and backups of other files, not from programs that can read the owner's files.
 *
 * A file that was read and holds no key is set aside at the next `encrypt`, which makes a new key. A file that may not be
 * read stays: its key may be needed again.
 */
export function keyFileSecretStore(keyFile: string, log?: Pick<Logger, 'warn'>): SecretStore {
  const changes = new Mutex();
  /** The last key that was read, for a file that is damaged while the daemon runs. */
  let known: Buffer | null = null;
  const keyToRead = async () => {
    const found = await readKey(keyFile);
    if (found instanceof Buffer) known = found;
    return known;
  };
  const keyToWrite = () =>
    changes.run(async () => {
      const found = await readKey(keyFile);
      if (found === 'damaged') await setAside(keyFile, known !== null, log);
      known = found instanceof Buffer ? found : await createKey(keyFile, known ?? randomBytes(KEY_BYTES));
      return known;
    });
  return {
    keeping: () => ({
      kept: 'key-file',
      file: keyFile,
      reason: 'Only the window of the desktop program can use a keychain.',
      action: 'Leave this file out of copies and backups that others can read.',
    }),
    async encrypt(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, await keyToWrite(), nonce).setAAD(Buffer.from(FORMAT));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return FORMAT + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    async decrypt(sealed) {
      const bytes = Buffer.from(sealed.slice(FORMAT.length), 'base64url');
      if (!sealed.startsWith(FORMAT) || bytes.length < NONCE_BYTES + TAG_BYTES) throw new SecretUnreadable();
      const key = await keyToRead();
      if (key === null) throw new SecretUnreadable();
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
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

/** Whether a stored secret was encrypted by a store of this kind. */
export const isOfKeyFile = (sealed: string): boolean => sealed.startsWith(FORMAT);

/**
 * @returns null: there is no file
 * @throws StorageError or SecretKeyUnavailable when the file cannot be read, so that nothing is known about its key
 */
export async function readKey(keyFile: string): Promise<Buffer | 'damaged' | null> {
  const text = await savingIn(dirname(keyFile), () => readTextFile(keyFile)).catch((error: unknown) => {
    if (error instanceof DamagedFile) return '';
    throw isSystemError(error) ? new SecretKeyUnavailable(keyFile, error) : error;
  });
  if (text === null) {
    await requireNoLink(keyFile);
    return null;
  }
  await chmod(keyFile, 0o600).catch(() => {}); // a disk that can only be read, or a file of root's
  const key = Buffer.from(text.trim(), 'base64url');
  return KEY_TEXT.test(text.trim()) && key.length === KEY_BYTES ? key : 'damaged';
}

/** A link to a file that does not exist has a key elsewhere. */
async function requireNoLink(keyFile: string): Promise<void> {
  const stats = await lstat(keyFile).catch(() => null);
  if (stats?.isSymbolicLink()) {
    throw new SecretKeyUnavailable(keyFile, Object.assign(new Error('no such file'), { code: 'ENOENT' }));
  }
}

async function setAside(keyFile: string, isKeyKnown: boolean, log: Pick<Logger, 'warn'> | undefined): Promise<void> {
  const aside = asideName(keyFile, systemNow());
  await savingIn(dirname(keyFile), () => rename(keyFile, aside));
  const effect = isKeyKnown ? 'its key is written again' : 'secrets from before cannot be read and must be set again';
  log?.warn(`${keyFile} holds no key: it is set aside as ${aside}, and ${effect}`);
}

/** Creates the file with a key in one step. @returns that of another process if it was first */
async function createKey(keyFile: string, key: Buffer): Promise<Buffer> {
  const draft = `${keyFile}.${randomUUID()}`;
  await savingIn(dirname(keyFile), async () => {
    try {
      await using file = await open(draft, 'wx', 0o600);
      await file.writeFile(key.toString('base64url'));
      await file.sync();
      await link(draft, keyFile);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      await rm(draft, { force: true }).catch(() => {});
    }
  });
  const found = await readKey(keyFile);
  if (!(found instanceof Buffer)) throw new Error(`${keyFile} was changed while it was created.`);
  return found;
}
