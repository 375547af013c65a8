import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename } from 'node:fs/promises';
import type { Clock } from '../../shared/clock.ts';
import { replaceFile } from '../../shared/files/atomic-file.ts';
import { asideName } from '../../shared/files/set-aside.ts';
import type { Logger } from '../../shared/logger.ts';

/** A header can carry no other characters. */
const TOKEN = /^[\x21-\x7e]{20,}$/;

/**
 * The token for other machines. Creates the file, readable by its owner only; sets a damaged one aside. If the file cannot
 * be written, the token is one that nobody knows: a daemon must start, and no machine may enter without a token.
 */
export async function accessTokenIn(clock: Clock, file: string, log: Pick<Logger, 'warn'>): Promise<string> {
  const stored = await readToken(file).catch((error: Error) => error);
  if (typeof stored === 'string' && TOKEN.test(stored)) return stored;
  const token = randomBytes(24).toString('base64url');
  try {
    if (stored !== null) {
      const aside = asideName(file, clock.now());
      await rename(file, aside);
      log.warn(`${file} holds no token: it is set aside as ${aside}, and other machines need the new token`);
    }
    await replaceFile(file, token);
  } catch (error) {
    log.warn(
      `the access token for other machines cannot be stored, so none may enter with it: ${(error as Error).message}`,
    );
  }
  return token;
}

/** @returns null when the file does not exist */
async function readToken(file: string): Promise<string | null> {
  try {
    await chmod(file, 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EROFS' && error.code !== 'EPERM') throw error;
    });
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
