import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { StoreAppDetail, StorePage, StoreSort, StoreStatus } from '../../../daemon/contract/apps/store.ts';
import type { SendCommand } from '../base/commands.ts';
import { createLatestLoad, type Loaded } from '../base/loaded.ts';
import type { GetState, Reducers, SetState } from '../base/slice.ts';

/** What a search found. */
export interface FoundPage extends StorePage {
  readonly search: string;
}

/** What of the hub's apps the user wants to see. */
export interface StoreQuery {
  readonly search: string;
  readonly sort: StoreSort;
  /** From 1. */
  readonly page: number;
}

export interface StoreSlice {
  /** How the daemon's copy of the hub stands; null until the first snapshot. */
  readonly store: StoreStatus | null;
  readonly storeQuery: StoreQuery;
  /** What the last answered query found; null: nobody has asked yet. */
  readonly storePage: Loaded<FoundPage> | null;
  /** The one app of the hub that is looked at. */
  readonly storeApp: { readonly id: string; readonly detail: Loaded<StoreAppDetail> } | null;
  /** Asks for another part of the store. Another search or order begins at its first page. */
  readonly browseStore: (change: Partial<StoreQuery>) => Promise<void>;
  /** Asks for what a person is typing, once a pause tells that it is whole. */
  readonly searchStore: (search: string) => void;
  /** Asks for the same again. */
  readonly loadStore: () => Promise<void>;
  /** Asks again once the hub was read, if there was nothing to show before. Never moves what is shown. */
  readonly fillStore: () => Promise<void>;
  /** Has the hub read now, and shows what it has. */
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

/** The hub was read since what is shown was fetched. */
export const isOutdated = ({ store, storePage }: StoreSlice): boolean =>
  storePage?.state === 'loaded' && store !== null && storePage.value.status.fetchedAt !== store.fetchedAt;

/** Why nothing can be installed from the hub now, in a sentence; null: it can be tried. */
export const installBlockedReason = ({ store }: StoreSlice): string | null =>
  store?.problem ? 'The hub cannot be reached.' : null;
