import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { StorePage, StoreStatus } from '../../../daemon/contract/apps/store.ts';
import type { SendCommand } from '../base/commands.ts';
import type { Reducers } from '../base/slice.ts';

export interface StoreSlice {
  /** The status of the daemon's copy of the hub; null until the first snapshot. */
  readonly store: StoreStatus | null;
  /** Lets the daemon refresh its copy of the hub. */
  readonly refreshStore: () => Promise<unknown>;
}

export function createStoreSlice(send: SendCommand, daemon: DaemonClient): StoreSlice {
  return { store: null, refreshStore: () => send('store', () => daemon.call('refreshStore')) };
}

export const storeReducers: Reducers<StoreSlice> = {
  snapshot: (_, { snapshot }) => ({ store: snapshot.store }),
  'store.changed': (_, { store }) => ({ store }),
};

/** Whether the hub's copy changed since the page was loaded. */
export const isOutdated = (store: StoreStatus | null, { status }: StorePage): boolean =>
  store !== null && status.fetchedAt !== store.fetchedAt;

/** Why the hub's apps cannot be installed now; null if they can. */
export const installBlockedReason = ({ store }: StoreSlice): string | null =>
  store?.problem ? 'The hub cannot be reached.' : null;
