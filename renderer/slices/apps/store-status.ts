import type { StorePage, StoreStatus } from '../../../daemon/contract/apps/store.ts';
import type { ReportedSlice } from '../daemon/reported-slice.ts';

/** Whether the hub's copy changed since the page was loaded. */
export const isOutdated = (store: StoreStatus | null, { status }: StorePage): boolean =>
  store !== null && status.fetchedAt !== store.fetchedAt;

/** Why the hub's apps cannot be installed now; null if they can. */
export const installBlockedReason = ({ store }: Pick<ReportedSlice, 'store'>): string | null =>
  store?.problem ? 'The hub cannot be reached.' : null;
