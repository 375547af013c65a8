import type { Catalog } from './catalog.ts';

/** Where the catalog comes from. */
export interface CatalogSource {
  readonly kind: 'embedded' | 'remote';
  /** The catalog as it is known now; loaded when it is first asked for. @throws CatalogUnavailable */
  load(): Promise<Catalog>;
}
