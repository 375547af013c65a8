import { expect } from 'vitest';
import { RemoteCatalogFailed } from '../../catalog/remote/errors.ts';
import type { Dialect } from '../../catalog/remote/remote-choice.ts';
import { RemoteClient, type RemoteDeadlines } from '../../catalog/remote/remote-client.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { CATALOG_TOKEN } from './fake-catalog.ts';

const deadlines: RemoteDeadlines = { silenceMs: 400, listMs: 5_000, deployMs: 600, retryMs: 10, longestRetryMs: 1_500 };

const never = new AbortController().signal;

export interface RemoteClientOptions {
  readonly token?: string | null;
  readonly dialect?: Dialect;
  readonly deadlines?: Partial<RemoteDeadlines>;
  readonly closing?: AbortSignal;
  readonly clock?: Clock;
}

/** A client with shorter deadlines than a daemon's. */
export function remoteClient(base: string, options: RemoteClientOptions = {}): RemoteClient {
  const { token = CATALOG_TOKEN, dialect = 'specification', closing = never, clock = systemClock } = options;
  return new RemoteClient({
    base,
    dialect,
    token: async () => token,
    deadlines: { ...deadlines, ...options.deadlines },
    closing,
    clock,
  });
}

/** The failure of a request; checks that its message is a sentence without the token. */
export async function remoteFailureOf(work: Promise<unknown>): Promise<RemoteCatalogFailed> {
  const error = await work.then(
    () => new Error('nothing went wrong'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RemoteCatalogFailed)) throw error;
  expect(error.message).toMatch(/\.$/);
  expect(JSON.stringify([error.message, error.issues])).not.toContain(CATALOG_TOKEN);
  return error;
}
