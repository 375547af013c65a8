import { createReadStream } from 'node:fs';
import * as z from 'zod';
import { CatalogItem, Recipe } from '../contract/catalog/catalog.ts';
import { Repository, Revision } from '../contract/endpoints/endpoint-model.ts';
import { lazy } from '../shared/async/lazy.ts';
import type { Logger } from '../shared/logger.ts';
import { buildCatalog, type Catalog, OmittedItems } from './catalog.ts';
import { type CatalogEntry, ModelFacts } from './catalog-entry.ts';
import { CatalogUnavailable } from './errors.ts';
import { ItemParser } from './item-parser.ts';

/** An item in the file; facts for the daemon only are under `x`. */
const StoredItem = CatalogItem.extend({
  repoId: Repository,
  // With the limits of an endpoint's fields.
  recipes: z.array(Recipe.extend({ revision: Revision.optional(), ggufFile: z.string().min(1).optional() })),
  x: ModelFacts.prefault({}),
});

/** Small, because the event loop runs other work only between reads. */
const READ_BYTES = 16 * 1024;

/** Reads the valid items of a catalog file; invalid items are omitted and logged. @throws CatalogUnavailable */
export async function readCatalogFile(path: string, log: Logger): Promise<CatalogEntry[]> {
  const omitted = new OmittedItems(log);
  const entries: CatalogEntry[] = [];
  let number = 0;
  for await (const stored of storedItems(path)) {
    number += 1;
    const { success, data, error } = StoredItem.safeParse(stored);
    if (success) {
      const { x: facts, ...item } = data;
      entries.push({ item, facts });
    } else {
      omitted.add(`item ${number} of the file`, z.prettifyError(error));
    }
  }
  omitted.end();
  return entries;
}

/** Yields the items of a file's list while it is read. */
async function* storedItems(path: string): AsyncGenerator<unknown> {
  const parser = new ItemParser('$');
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: READ_BYTES }))
      yield* parser.push(bytes as Buffer);
    parser.end();
  } catch (cause) {
    const isRead = (cause as NodeJS.ErrnoException).syscall === undefined;
    const what = isRead ? 'its file is damaged' : 'its file is missing or cannot be read';
    throw new CatalogUnavailable(`The catalog cannot be loaded: ${what}.`, { cause });
  }
}

/** The catalog shipped with the daemon. It is read at the first call; a failed read is repeated at the next. */
export function shippedCatalog(file: string, log: Logger): () => Promise<Catalog> {
  return lazy(async () => {
    try {
      return await buildCatalog(await readCatalogFile(file, log), log);
    } catch (error) {
      log.error(`catalog: ${file} cannot be loaded`, error instanceof Error ? (error.cause ?? error) : error);
      throw error;
    }
  });
}
