import * as z from 'zod';
import { Accelerator, type CatalogItem, EngineType, type Recipe } from '../../contract/catalog/catalog.ts';
import { Timestamp } from '../../contract/common/common.ts';
import { Repository } from '../../contract/endpoints/endpoint-model.ts';
import { displayText } from '../../shared/display-text.ts';

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
