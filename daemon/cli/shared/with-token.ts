import { randomUUID } from 'node:crypto';
import { AccessTokens } from '../../access/access-tokens.ts';
import { systemNow } from '../../shared/clock.ts';
import type { DataPaths } from '../../shared/files/data-paths.ts';
import { createLogger } from '../../shared/logger.ts';
import { interruptible } from './interruptible.ts';

export interface TokenForNow {
  readonly token: string;
  /** Aborted with Interrupted by a signal, so that the token is revoked. */
  readonly signal: AbortSignal;
}

/**
 * Lends a command a token that lives as long as its work: the owner of a data folder may create tokens.
 * @param purpose the beginning of the token's name
 */
export async function withToken<T>(
  paths: DataPaths,
  purpose: string,
  work: (lent: TokenForNow) => Promise<T>,
): Promise<T> {
  const tokens = new AccessTokens(paths.tokensFile, { log: createLogger('error'), now: systemNow });
  const name = `${purpose}-${randomUUID()}`;
  return interruptible(async (signal) => {
    const { text } = await tokens.create({ name, scopes: ['deploy', 'daemon'], namespaces: null, ofTerminal: true });
    try {
      return await work({ token: text, signal });
    } finally {
      await tokens.revoke(name);
    }
  });
}
