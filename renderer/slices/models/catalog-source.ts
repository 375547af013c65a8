import type { CatalogSourceStatus, ModelPage } from '../../../daemon/contract/catalog/models.ts';

/** Whether the catalog changed since the page was loaded. */
export const isNewerThan = (source: CatalogSourceStatus | null, { source: shown }: ModelPage): boolean =>
  source !== null &&
  (source.kind !== shown.kind ||
    source.url !== shown.url ||
    source.fetchedAt !== shown.fetchedAt ||
    source.total !== shown.total);
