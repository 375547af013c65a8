import { setImmediate as othersTurn } from 'node:timers/promises';
import type { CatalogItem } from '../../contract/catalog/catalog.ts';
import { systemClock } from '../../shared/clock.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { ItemParser } from '../file/item-parser.ts';
import { RemoteCatalogFailed } from './errors.ts';
import { remoteItem } from './remote-item.ts';

/**
 * The longest time to block the event loop, parsing a piece not included. Measured on the system's clock: a clock that a test
 * moves does not show how long the event loop is blocked.
 */
const BATCH_MS = 1;
/** After so many unusable items and no usable one, reading stops. */
const MAX_UNUSABLE = 10_000;

/** The usable items of a service's list. */
export interface UsableList {
  readonly items: readonly CatalogItem[];
  /** The numbers of unusable items and recipes. */
  readonly skipped: { readonly items: number; readonly recipes: number };
}

/** Reads a list as it arrives. @throws RemoteCatalogFailed for an invalid list, and the body's own errors */
export async function readList(body: AsyncIterable<Uint8Array>): Promise<UsableList> {
  const items: CatalogItem[] = [];
  const skipped = { items: 0, recipes: 0 };
  for await (const raw of rawItems(body)) {
    const { item, skippedRecipes } = remoteItem(raw);
    skipped.recipes += skippedRecipes;
    if (item) items.push(item);
    else skipped.items += 1;
    if (items.length === 0 && skipped.items > MAX_UNUSABLE) break;
  }
  if (items.length === 0 && skipped.items > 0) {
    throw invalidAnswer(`None of the catalog service's ${skipped.items} models can be used.`);
  }
  return { items, skipped };
}

async function* rawItems(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const parser = new ItemParser('$.items');
  try {
    let beganMs = systemClock.elapsedMs();
    for await (const bytes of body) {
      for (const item of parser.push(bytes)) {
        yield item;
        if (systemClock.elapsedMs() - beganMs < BATCH_MS) continue;
        await othersTurn();
        beganMs = systemClock.elapsedMs();
      }
      await othersTurn(); // data already buffered would continue without a pause
      beganMs = systemClock.elapsedMs();
    }
    parser.end();
  } catch (error) {
    throw error instanceof DomainError ? error : invalidAnswer(undefined, error);
  }
}

function invalidAnswer(message = 'The answer of the catalog service is not a list of models.', cause?: unknown) {
  return new RemoteCatalogFailed('invalid-answer', message, { cause });
}
