import type { CallInput, DaemonClient } from '../../../daemon/client/calls.ts';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { CatalogSourceStatus, ModelPage } from '../../../daemon/contract/models.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import type { Reducers, SetState } from '../../store/slice.ts';

export type RemoteCatalog = CallInput<'useRemoteCatalog'>['body'];

export interface CatalogSourceSlice {
  /** Where the catalog comes from; null until the first snapshot. */
  readonly catalogSource: CatalogSourceStatus | null;
  /** What was asked of it and not answered yet. */
  readonly catalogSourceAsked: 'refresh' | 'change' | null;
  readonly catalogSourceRefusal: DaemonError | null;
  /** These answer whether it was done. The token goes to the daemon and is not kept here. */
  readonly takeRemoteCatalog: (remote: RemoteCatalog) => Promise<boolean>;
  readonly takeShippedCatalog: () => Promise<boolean>;
  readonly refreshCatalog: () => Promise<boolean>;
  readonly forgetCatalogSourceRefusal: () => void;
}

export function createCatalogSourceSlice(set: SetState<CatalogSourceSlice>, daemon: DaemonClient): CatalogSourceSlice {
  async function ask(what: 'refresh' | 'change', call: () => Promise<unknown>): Promise<boolean> {
    set({ catalogSourceAsked: what, catalogSourceRefusal: null });
    try {
      await call();
      return true;
    } catch (error) {
      set({ catalogSourceRefusal: asDaemonError(error) });
      return false;
    } finally {
      set({ catalogSourceAsked: null });
    }
  }
  return {
    catalogSource: null,
    catalogSourceAsked: null,
    catalogSourceRefusal: null,
    takeRemoteCatalog: (body) => ask('change', () => daemon.call('useRemoteCatalog', { body })),
    takeShippedCatalog: () => ask('change', () => daemon.call('useShippedCatalog')),
    refreshCatalog: () => ask('refresh', () => daemon.call('refreshCatalog')),
    forgetCatalogSourceRefusal: () => set({ catalogSourceRefusal: null }),
  };
}

export const catalogSourceReducers: Reducers<CatalogSourceSlice> = {
  snapshot: (_, { snapshot }) => ({ catalogSource: snapshot.catalogSource }),
  'catalog-source.changed': (_, { catalogSource }) => ({ catalogSource }),
};

/** The catalog was read anew, or another one was taken, since a page of it was fetched. */
export const isNewerThan = (source: CatalogSourceStatus | null, { source: shown }: ModelPage): boolean =>
  source !== null &&
  (source.kind !== shown.kind ||
    source.url !== shown.url ||
    source.fetchedAt !== shown.fetchedAt ||
    source.total !== shown.total);
