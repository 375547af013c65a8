import type { CallInput, DaemonClient } from '../../../daemon/client/calls.ts';
import type { CatalogSourceStatus, ModelPage } from '../../../daemon/contract/catalog/models.ts';
import type { SendCommand } from '../base/commands.ts';
import type { Reducers } from '../base/slice.ts';

export type RemoteCatalog = CallInput<'useRemoteCatalog'>['body'];

export interface CatalogSourceSlice {
  /** Where the catalog comes from; null until the first snapshot. */
  readonly catalogSource: CatalogSourceStatus | null;
  /** Sends the token to the daemon; the store does not keep it. */
  readonly chooseRemoteCatalog: (remote: RemoteCatalog) => Promise<unknown>;
  readonly chooseShippedCatalog: () => Promise<unknown>;
  readonly refreshCatalog: () => Promise<unknown>;
}

export function createCatalogSourceSlice(send: SendCommand, daemon: DaemonClient): CatalogSourceSlice {
  return {
    catalogSource: null,
    chooseRemoteCatalog: (body) => send('catalog', () => daemon.call('useRemoteCatalog', { body }), 'change'),
    chooseShippedCatalog: () => send('catalog', () => daemon.call('useShippedCatalog'), 'change'),
    refreshCatalog: () => send('catalog', () => daemon.call('refreshCatalog'), 'refresh'),
  };
}

export const catalogSourceReducers: Reducers<CatalogSourceSlice> = {
  snapshot: (_, { snapshot }) => ({ catalogSource: snapshot.catalogSource }),
  'catalog-source.changed': (_, { catalogSource }) => ({ catalogSource }),
};

/** Whether the catalog changed since the page was loaded. */
export const isNewerThan = (source: CatalogSourceStatus | null, { source: shown }: ModelPage): boolean =>
  source !== null &&
  (source.kind !== shown.kind ||
    source.url !== shown.url ||
    source.fetchedAt !== shown.fetchedAt ||
    source.total !== shown.total);
