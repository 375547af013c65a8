import type { AppCrash } from '../../../daemon/contract/apps/runs.ts';
import type { HubAccount, StoreStatus } from '../../../daemon/contract/apps/store.ts';
import type { CatalogSourceStatus } from '../../../daemon/contract/catalog/models.ts';
import type { EndpointsStatus } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { NotificationsStatus } from '../../../daemon/contract/notifications/notifications.ts';
import { type CommandsSlice, withoutRefusals } from '../base/commands.ts';
import type { Reducers } from '../base/slice.ts';

/** Events report each of these whole, and no other part of the store depends on it. Those that can be null are until the first snapshot. */
export interface ReportedSlice {
  readonly hubAccount: HubAccount | null;
  /** The status of the daemon's copy of the hub. */
  readonly store: StoreStatus | null;
  /** Of each app the newest crash that nobody has seen, or its last run if that crashed; newest first. */
  readonly crashes: readonly AppCrash[];
  /** Where the catalog comes from. */
  readonly catalogSource: CatalogSourceStatus | null;
  /** The number of endpoints, and their revision, which each change of an endpoint increments. */
  readonly endpointsStatus: EndpointsStatus | null;
  /** The state of the bell. */
  readonly notifications: NotificationsStatus | null;
}

export const nothingReported: ReportedSlice = {
  hubAccount: null,
  store: null,
  crashes: [],
  catalogSource: null,
  endpointsStatus: null,
  notifications: null,
};

export const reportedReducers: Reducers<ReportedSlice & CommandsSlice> = {
  snapshot: (_, { snapshot: { hubAccount, store, crashes, catalogSource, endpoints, notifications } }) => ({
    hubAccount,
    store,
    crashes,
    catalogSource,
    endpointsStatus: endpoints,
    notifications,
  }),
  'hub-account.changed': (before, { hubAccount }) => ({ hubAccount, ...withoutRefusals(before, 'hub') }),
  'store.changed': (_, { store }) => ({ store }),
  'app-crashes.changed': (_, { crashes }) => ({ crashes }),
  'catalog-source.changed': (_, { catalogSource }) => ({ catalogSource }),
  'endpoints.changed': (_, { endpoints }) => ({ endpointsStatus: endpoints }),
  'notifications.changed': (_, { notifications }) => ({ notifications }),
};
