import { expect } from 'vitest';
import { RemoteCatalogTrouble } from '../../catalog/remote/errors.ts';
import type { Dialect } from '../../catalog/remote/remote-choice.ts';
import { RemoteClient } from '../../catalog/remote/remote-client.ts';
import type { RemotePatience } from '../../catalog/remote/remote-deadlines.ts';
import { CATALOG_TOKEN } from './fake-catalog.ts';

const patience: RemotePatience = { silenceMs: 400, listMs: 5_000, deployMs: 600, retryMs: 10, longestRetryMs: 1_500 };

export interface RemoteClientOptions {
  readonly token?: string | null;
  readonly dialect?: Dialect;
  readonly patience?: Partial<RemotePatience>;
  readonly closing?: AbortSignal;
}

/** A client that is quicker to give up than a daemon's. */
export function remoteClient(base: string, options: RemoteClientOptions = {}): RemoteClient {
  const { token = CATALOG_TOKEN, dialect = 'specification', closing = new AbortController().signal } = options;
  return new RemoteClient({
    base,
    dialect,
    token: async () => token,
    patience: { ...patience, ...options.patience },
    closing,
  });
}

/** What goes wrong, told in sentences, and never with the token in it. */
export async function remoteTroubleOf(work: Promise<unknown>): Promise<RemoteCatalogTrouble> {
  const error = await work.then(
    () => new Error('nothing went wrong'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RemoteCatalogTrouble)) throw error;
  expect(error.message).toMatch(/\.$/);
  expect(JSON.stringify([error.message, error.issues])).not.toContain(CATALOG_TOKEN);
  return error;
}
