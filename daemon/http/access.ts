import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback } from './own-hosts.ts';

/** Lets programs of this machine in; others need the daemon's access token as a bearer token. */
export interface Access {
  mayEnter(request: IncomingMessage): boolean;
}

/** Whether the other end is a program of this machine: on loopback, or calling one of its addresses from itself. */
export function isSameMachine({ remoteAddress = '', localAddress }: Socket): boolean {
  return isLoopback(remoteAddress) || remoteAddress === localAddress;
}

/** For a daemon that only this machine can reach. */
export const localAccess: Access = { mayEnter: (request) => isSameMachine(request.socket) };

/** For a daemon that other machines can reach: the token is made once and kept in a file that only its owner may read. */
export async function tokenAccess(tokenFile: string): Promise<Access> {
  const token = Buffer.from(await readToken(tokenFile));
  return {
    mayEnter: (request) => {
      if (localAccess.mayEnter(request)) return true;
      const given = Buffer.from(/^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '');
      return given.length === token.length && timingSafeEqual(given, token);
    },
  };
}

async function readToken(tokenFile: string): Promise<string> {
  try {
    await writeFile(tokenFile, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    await chmod(tokenFile, 0o600);
  }
  const token = (await readFile(tokenFile, 'utf8')).trim();
  if (token.length < 20) throw new Error(`${tokenFile} does not hold a token. Remove it, and a new one is made.`);
  return token;
}
