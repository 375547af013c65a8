import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename } from 'node:fs/promises';
import type { Clock } from '../shared/clock.ts';
import { replaceFile } from '../shared/files/atomic-file.ts';
import { asideName } from '../shared/files/set-aside.ts';
import type { Logger } from '../shared/logger.ts';

/** A header can carry no other characters. */
const TOKEN = /^[\x21-\x7e]{20,}$/;

/**
 * Whether programs of this machine need a token. A proxy may run at their own address, and what comes from there is then
 * the proxy's.
 * @param options of a daemon, perhaps saved ones
 */
export function asksThisMachine({ requireToken, behindProxy }: { requireToken?: unknown; behindProxy?: unknown }) {
  return requireToken === true || typeof behindProxy === 'string';
}

/** @returns null when the file has no token, or cannot be read */
export async function readAccessToken(file: string): Promise<string | null> {
  const text = (await readFile(file, 'utf8').catch(() => '')).trim();
  return TOKEN.test(text) ? text : null;
}

/**
 * The token for other machines, and where it is required also for this one. Creates the file, readable by its owner only;
 * sets a damaged one aside. If the file cannot be written, the token is one that nobody knows: a daemon must start, and no
 * machine may enter without a token.
 */
export async function accessTokenIn(clock: Clock, file: string, log: Pick<Logger, 'warn'>): Promise<string> {
  const stored = await readToken(file).catch((error: Error) => error);
  if (typeof stored === 'string' && TOKEN.test(stored)) return stored;
  const token = randomBytes(24).toString('base64url');
  try {
    if (stored !== null) {
      const aside = asideName(file, clock.now());
      await rename(file, aside);
      log.warn(`${file} holds no token: it is set aside as ${aside}, and a new token takes its place`);
    }
    await replaceFile(file, token);
  } catch (error) {
    log.warn(`the access token cannot be stored, so nobody may enter with it: ${(error as Error).message}`);
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
