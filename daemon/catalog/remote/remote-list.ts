import { setImmediate as othersTurn } from 'node:timers/promises';
import * as z from 'zod';
import { Accelerator, type CatalogItem, EngineType, type Recipe } from '../../contract/catalog/catalog.ts';
import { Timestamp } from '../../contract/common/common.ts';
import { Repository } from '../../contract/endpoints/endpoint-model.ts';
import { systemClock } from '../../shared/clock.ts';
import { displayText } from '../../shared/display-text.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { ItemParser } from '../item-parser.ts';
import { RemoteCatalogFailed } from './errors.ts';

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

/** An identifier. It must be displayed exactly: otherwise it could look like another. */
const name = (limit: number) =>
  z
    .string()
    .min(1)
    .max(limit)
    .refine((text) => displayText(text, limit) === text);
/** A text for display only. */
const label = (limit: number) => z.string().transform((text) => displayText(text, limit));
/** Null counts as absent. */
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? undefined);

const RemoteRecipe = z.object({
  accelerator: Accelerator,
  engineType: EngineType,
  publicId: name(500),
  ggufFile: maybe(name(1_000)),
  revision: maybe(name(200)),
});

const RemoteItem = z.object({
  repoId: Repository,
  createdAt: z
    .string()
    .transform((text) => new Date(text))
    .refine((date) => Number.isFinite(date.getTime()))
    .transform((date) => date.toISOString())
    .pipe(Timestamp),
  recipes: z.array(z.unknown()),
  modelName: maybe(label(200)),
  authorName: maybe(label(200)),
  license: maybe(label(100)),
  task: maybe(label(100)),
});

/** Displayed for an absent text. */
const UNKNOWN = 'unknown';
const MAX_RECIPES = 1_000;

/**
 * Converts a remote service's item to a catalog item. It may have unknown members, an unknown task, and no display texts.
 * A recipe with an unknown engine or accelerator is omitted, because the daemon's own list must not contain it.
 * @returns item: null without a valid id or a usable recipe; skippedRecipes: the number of omitted recipes
 */
export function remoteItem(raw: unknown): { item: CatalogItem | null; skippedRecipes: number } {
  const read = RemoteItem.safeParse(raw);
  if (!read.success) return { item: null, skippedRecipes: 0 };
  const { recipes: rawRecipes, repoId, createdAt, modelName, authorName, license, task } = read.data;
  const recipes = new Map<string, Recipe>();
  for (const entry of rawRecipes.slice(0, MAX_RECIPES)) {
    const recipe = RemoteRecipe.safeParse(entry).data;
    if (recipe && !recipes.has(recipe.publicId)) recipes.set(recipe.publicId, ourRecipe(recipe));
  }
  const skippedRecipes = rawRecipes.length - recipes.size;
  if (recipes.size === 0) return { item: null, skippedRecipes };
  const [author = '', model = ''] = repoId.split('/');
  const item: CatalogItem = {
    modelName: modelName || model,
    createdAt,
    authorName: authorName || author,
    license: license || UNKNOWN,
    repoId,
    task: task || UNKNOWN,
    recipes: [...recipes.values()],
  };
  return { item, skippedRecipes };
}

/** Omits absent members, like the daemon's own list. */
function ourRecipe({ ggufFile, revision, ...recipe }: z.infer<typeof RemoteRecipe>): Recipe {
  return { ...recipe, ...(ggufFile !== undefined && { ggufFile }), ...(revision !== undefined && { revision }) };
}
