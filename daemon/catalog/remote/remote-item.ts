import * as z from 'zod';
import { Accelerator, type CatalogItem, EngineType, type Recipe } from '../../contract/catalog/catalog.ts';
import { Timestamp } from '../../contract/common/common.ts';
import { Repository } from '../../contract/endpoints/endpoint-model.ts';
import { displayText } from '../../shared/display-text.ts';

/** A text that names something: one that would be shown otherwise than it is, names something else than it seems to. */
const name = (limit: number) =>
  z
    .string()
    .min(1)
    .max(limit)
    .refine((text) => displayText(text, limit) === text);
/** A text that is only shown. */
const words = (limit: number) => z.string().transform((text) => displayText(text, limit));
/** Left out and null are the same to us. */
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
  modelName: maybe(words(200)),
  authorName: maybe(words(200)),
  license: maybe(words(100)),
  task: maybe(words(100)),
});

/** What is shown where the service says nothing. */
const UNKNOWN = 'unknown';
const MAX_RECIPES = 1_000;

/**
 * Makes an item of ours of one that a remote service lists. It may have members that we do not know, a task that we do
 * not know, and gaps where a text is only shown. A recipe with an engine or an accelerator that we do not know is left
 * out: our own list may not have it, and what cannot be listed is not shown either.
 * @returns item: null when it cannot be named or has no recipe left; skippedRecipes: how many of its recipes are left out
 */
export function remoteItem(raw: unknown): { item: CatalogItem | null; skippedRecipes: number } {
  const read = RemoteItem.safeParse(raw);
  if (!read.success) return { item: null, skippedRecipes: 0 };
  const { recipes: told, repoId, createdAt, modelName, authorName, license, task } = read.data;
  const recipes = new Map<string, Recipe>();
  for (const entry of told.slice(0, MAX_RECIPES)) {
    const recipe = RemoteRecipe.safeParse(entry).data;
    if (recipe && !recipes.has(recipe.publicId)) recipes.set(recipe.publicId, ourRecipe(recipe));
  }
  const skippedRecipes = told.length - recipes.size;
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

/** What is not there is left out, as our own list does. */
function ourRecipe({ ggufFile, revision, ...recipe }: z.infer<typeof RemoteRecipe>): Recipe {
  return { ...recipe, ...(ggufFile !== undefined && { ggufFile }), ...(revision !== undefined && { revision }) };
}
