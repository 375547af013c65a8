import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { StoreAppDetail, StorePage, StoreSort, StoreStatus } from '../../../daemon/contract/apps/store.ts';
import type { SendCommand } from '../base/commands.ts';
import { createLatestLoad, type Loaded } from '../base/loaded.ts';
import type { GetState, Reducers, SetState } from '../base/slice.ts';

/** A page of results with its search text. */
export interface FoundPage extends StorePage {
  readonly search: string;
}

export interface StoreQuery {
  readonly search: string;
  readonly sort: StoreSort;
  /** From 1. */
  readonly page: number;
}

export interface StoreSlice {
  /** The status of the daemon's copy of the hub; null until the first snapshot. */
  readonly store: StoreStatus | null;
  readonly storeQuery: StoreQuery;
  /** The results of the last query; null before the first. */
  readonly storePage: Loaded<FoundPage> | null;
  /** The hub app that is shown. */
  readonly storeApp: { readonly id: string; readonly detail: Loaded<StoreAppDetail> } | null;
  /** Changes the query and loads it. Starts at the first page unless `change` has one. */
  readonly browseStore: (change: Partial<StoreQuery>) => Promise<void>;
  /** Searches after a pause in typing. */
  readonly searchStore: (search: string) => void;
  /** Loads the current query again. */
  readonly loadStore: () => Promise<void>;
  /** Loads again when the hub's copy has changed, but only if the current results are empty. */
  readonly fillStore: () => Promise<void>;
  /** Lets the daemon refresh its copy of the hub, then loads the query. */
  readonly refreshStore: () => Promise<void>;
  readonly loadStoreApp: (id: string) => Promise<void>;
}

export function createStoreSlice(
  set: SetState<StoreSlice>,
  get: GetState<StoreSlice>,
  send: SendCommand,
  daemon: DaemonClient,
): StoreSlice {
  const loadPage = createLatestLoad();
  const loadDetail = createLatestLoad();
  let typing: ReturnType<typeof setTimeout> | undefined;
  return {
    store: null,
    storeQuery: { search: '', sort: 'popular', page: 1 },
    storePage: null,
    storeApp: null,
    browseStore(change) {
      set(({ storeQuery }) => ({ storeQuery: { ...storeQuery, page: 1, ...change } }));
      return get().loadStore();
    },
    searchStore(search) {
      set(({ storeQuery }) => ({ storeQuery: { ...storeQuery, page: 1, search } }));
      clearTimeout(typing);
      typing = setTimeout(() => void get().loadStore(), TYPING_MS);
    },
    loadStore() {
      clearTimeout(typing);
      const { search, sort, page } = get().storeQuery;
      const query = { search: search.trim(), sort, page, limit: PAGE_APPS };
      return loadPage<FoundPage>(
        async (signal) => ({ ...(await daemon.call('listStore', { query, signal })), search }),
        (next) => set(({ storePage }) => ({ storePage: next(storePage) })),
      );
    },
    async fillStore() {
      const { store, storePage } = get();
      if (storePage?.state !== 'loaded' || storePage.value.matches > 0) return;
      if (storePage.value.status.fetchedAt !== store?.fetchedAt) await get().loadStore();
    },
    async refreshStore() {
      await send('store', () => daemon.call('refreshStore'));
      await get().loadStore();
    },
    loadStoreApp: (id) => {
      const [owner = '', name = ''] = id.split('/');
      return loadDetail<StoreAppDetail>(
        (signal) => daemon.call('getStoreApp', { params: { owner, name }, signal }),
        (next) =>
          set(({ storeApp }) => ({ storeApp: { id, detail: next(storeApp?.id === id ? storeApp.detail : null) } })),
      );
    },
  };
}

const PAGE_APPS = 24;
const TYPING_MS = 250;

export const storeReducers: Reducers<StoreSlice> = {
  snapshot: (_, { snapshot }) => ({ store: snapshot.store }),
  'store.changed': (_, { store }) => ({ store }),
};

/** Whether the hub's copy is newer than the shown results. */
export const isOutdated = ({ store, storePage }: StoreSlice): boolean =>
  storePage?.state === 'loaded' && store !== null && storePage.value.status.fetchedAt !== store.fetchedAt;

/** Why the hub's apps cannot be installed now; null if they can. */
export const installBlockedReason = ({ store }: StoreSlice): string | null =>
  store?.problem ? 'The hub cannot be reached.' : null;
