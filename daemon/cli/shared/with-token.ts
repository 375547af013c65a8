import { randomUUID } from 'node:crypto';
import { AccessTokens } from '../../access/access-tokens.ts';
import type { DataPaths } from '../../shared/files/data-paths.ts';
import { createLogger } from '../../shared/logger.ts';
import { Interrupted } from './interrupted.ts';

export interface TokenForNow {
  readonly token: string;
  /** Aborted with Interrupted by SIGINT, SIGTERM and SIGHUP (a closed terminal), so that the token is revoked. */
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
  const tokens = new AccessTokens(paths.tokensFile, { log: createLogger('error') });
  const name = `${purpose}-${randomUUID()}`;
  const interrupt = new AbortController();
  const onSignal = () => interrupt.abort(new Interrupted());
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  try {
    const { text } = await tokens.create({ name, scopes: ['deploy', 'daemon'], namespaces: null });
    try {
      return await work({ token: text, signal: interrupt.signal });
    } finally {
      await tokens.revoke(name);
    }
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}
