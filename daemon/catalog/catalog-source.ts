import type { Catalog } from './catalog.ts';

/** A source of the catalog. */
export interface CatalogSource {
  readonly kind: 'embedded' | 'remote';
  /** The current catalog, loaded at the first call. @throws CatalogUnavailable */
  load(): Promise<Catalog>;
}
