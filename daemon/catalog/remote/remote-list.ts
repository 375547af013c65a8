import { setImmediate as othersTurn } from 'node:timers/promises';
import type { CatalogItem } from '../../contract/catalog/catalog.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { ItemParser } from '../file/item-parser.ts';
import { RemoteCatalogTrouble } from './errors.ts';
import { remoteItem } from './remote-item.ts';

/** How long a step of reading a list takes, beside what parses a piece of it. */
const STEP_MS = 1;
/** Whoever lists so many of which none can be used lists no models. */
const MOST_UNUSABLE = 10_000;

/** What a service lists, as far as it can be used. */
export interface UsableList {
  readonly items: readonly CatalogItem[];
  /** How much of it cannot. */
  readonly skipped: { readonly items: number; readonly recipes: number };
}

/** Reads a list as it arrives. @throws RemoteCatalogTrouble when it is none, and what the body throws */
export async function readList(body: AsyncIterable<Uint8Array>): Promise<UsableList> {
  const items: CatalogItem[] = [];
  const skipped = { items: 0, recipes: 0 };
  for await (const told of toldItems(body)) {
    const { item, skippedRecipes } = remoteItem(told);
    skipped.recipes += skippedRecipes;
    if (item) items.push(item);
    else skipped.items += 1;
    if (items.length === 0 && skipped.items > MOST_UNUSABLE) break;
  }
  if (items.length === 0 && skipped.items > 0) {
    throw notUnderstood(`Of the ${skipped.items} models that the catalog service lists, none can be used.`);
  }
  return { items, skipped };
}

async function* toldItems(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const parser = new ItemParser('$.items');
  try {
    let beganMs = performance.now();
    for await (const bytes of body) {
      for (const item of parser.push(bytes)) {
        yield item;
        if (performance.now() - beganMs < STEP_MS) continue;
        await othersTurn();
        beganMs = performance.now();
      }
      await othersTurn(); // what has arrived already would go on without a pause
      beganMs = performance.now();
    }
    parser.end();
  } catch (error) {
    throw error instanceof DomainError ? error : notUnderstood(undefined, error);
  }
}

function notUnderstood(message = 'The catalog service answers with what is no list of models.', cause?: unknown) {
  return new RemoteCatalogTrouble('not-understood', message, { cause });
}
