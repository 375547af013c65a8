import type { Logger } from '../shared/logger.ts';
import { buildCatalog, type Catalog } from './catalog.ts';
import type { CatalogSource } from './catalog-source.ts';
import { readCatalogFile } from './file/catalog-file.ts';

export interface EmbeddedSourceDeps {
  /** The catalog file. */
  readonly file: string;
  readonly log: Logger;
}

/** The catalog shipped with the daemon. It is read at the first `load`; a failed read is repeated at the next. */
export class EmbeddedSource implements CatalogSource {
  readonly kind = 'embedded';
  readonly #deps: EmbeddedSourceDeps;
  #loading: Promise<Catalog> | null = null;

  constructor(deps: EmbeddedSourceDeps) {
    this.#deps = deps;
  }

  load(): Promise<Catalog> {
    this.#loading ??= this.#loadOnce();
    return this.#loading;
  }

  async #loadOnce(): Promise<Catalog> {
    const { file, log } = this.#deps;
    try {
      return await buildCatalog(await readCatalogFile(file, log), log);
    } catch (error) {
      this.#loading = null;
      log.error(`catalog: ${file} cannot be loaded`, error instanceof Error ? (error.cause ?? error) : error);
      throw error;
    }
  }
}
