import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { AccessTokens } from '../../access/access-tokens.ts';
import { mayDeploy } from '../../access/caller.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { operationAt, rightFor } from '../requests/operation-paths.ts';
import { accessTokenIn } from './access-token-file.ts';
import { bearerToken } from './bearer.ts';
import { isLoopback } from './own-hosts.ts';

/** Decides who may use the daemon: programs of this machine, others with a bearer token. */
export interface Access {
  mayEnter(request: IncomingMessage): Promise<boolean>;
}

/** Whether the peer is on this machine: it uses loopback, or connects from the address that it connects to. */
export function isSameMachine({ remoteAddress = '', localAddress }: Socket): boolean {
  return isLoopback(remoteAddress) || remoteAddress === localAddress;
}

/** Access to a daemon that only this machine can reach. */
export const localAccess: Access = { mayEnter: async (request) => isSameMachine(request.socket) };

/**
 * Access to a daemon that other machines can reach. They need its access token, created once in a file that only its
 * owner can read, or a token with the scope `daemon`. A token with the scope `deploy` allows deploys.
 */
export async function tokenAccess(
  clock: Clock,
  tokenFile: string,
  tokens: Pick<AccessTokens, 'verify'>,
  log: Pick<Logger, 'warn'>,
): Promise<Access> {
  const accessToken = Buffer.from(await accessTokenIn(clock, tokenFile, log));
  return {
    mayEnter: async (request) => {
      if (isSameMachine(request.socket)) return true;
      const text = bearerToken(request.headers);
      if (text === null) return false;
      const given = Buffer.from(text);
      if (given.length === accessToken.length && timingSafeEqual(given, accessToken)) return true;
      const token = await tokens.verify(text);
      if (!token) return false;
      return token.scopes.includes('daemon') || (mayDeploy(token) && isDeploy(request));
    },
  };
}

/** Whether a request deploys, or asks about what was deployed. */
function isDeploy({ method = '', url = '' }: IncomingMessage): boolean {
  const name = operationAt(method, url.split('?')[0] ?? '');
  return name !== null && rightFor(name) === 'deployer';
}
