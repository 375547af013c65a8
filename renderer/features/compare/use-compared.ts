import type {
  ConsideredRecipe,
  ModelDetail,
  ModelDownloads,
  RecipeDownload,
} from '../../../daemon/contract/catalog/models.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import { type ComparedId, parseComparedKey } from '../../slices/models/compare-slice.ts';
import { type Asked, useAsked } from '../../store/use-asked.ts';

/** A model or a recipe of a comparison. */
export interface Compared extends ComparedId {
  readonly key: string;
  /** Null: the catalog does not have the model, or it could not be loaded; see `problem`. */
  readonly detail: ModelDetail | null;
  /** The recipe, or the best one of a model; null: there is none. */
  readonly recipe: ConsideredRecipe | null;
  readonly problem: string | null;
}

/** Asks for the models of a comparison, in the order of the keys. One that is missing does not hide the others. */
export function useCompared(keys: readonly string[]): Asked<readonly Compared[]> {
  return useAsked<readonly Compared[]>(
    ['compared', keys],
    async (call, signal) => {
      const wanted = keys.flatMap((key) => {
        const id = parseComparedKey(key);
        return id ? { key, ...id } : [];
      });
      const repoIds = [...new Set(wanted.map(({ repoId }) => repoId))];
      const details = await Promise.all(
        repoIds.map((repoId) => call('getModel', { params: paramsOf(repoId), signal }).catch(problemOf)),
      );
      return wanted.flatMap((each) => {
        const detail = details[repoIds.indexOf(each.repoId)];
        return detail === undefined ? [] : [comparedOf(each, detail)];
      });
    },
    true,
  );
}

/** Asks for the downloads of the compared recipes, by `publicId`; null while they are unknown. */
export function useComparedDownloads(keys: readonly string[]): ReadonlyMap<string, RecipeDownload> | null {
  const { value } = useAsked<readonly RecipeDownload[]>(['compared downloads', keys], async (call, signal) => {
    const repoIds = new Set(keys.map((key) => parseComparedKey(key)?.repoId ?? ''));
    const none: ModelDownloads = { recipes: [], disk: null };
    const found = [...repoIds].map((repoId) =>
      call('getModelDownloads', { params: paramsOf(repoId), signal }).catch(() => none),
    );
    return (await Promise.all(found)).flatMap(({ recipes }) => recipes);
  });
  return value && new Map(value.map((each) => [each.publicId, each]));
}

function paramsOf(repoId: string) {
  const [author = '', model = ''] = repoId.split('/');
  return { author, model };
}

/** A missing model is a part of the answer. @throws any other failure */
function problemOf(error: unknown): string {
  const { status, message } = asDaemonError(error);
  if (status === 404) return message;
  throw error;
}

function comparedOf(id: ComparedId & Pick<Compared, 'key'>, detail: ModelDetail | string): Compared {
  if (typeof detail === 'string') return { ...id, detail: null, recipe: null, problem: detail };
  const { publicId } = id;
  const recipe = detail.recipes.find((each) => (publicId === null ? each.isChosen : each.recipe.publicId === publicId));
  const problem = publicId !== null && !recipe ? 'The catalog no longer has this recipe.' : null;
  return { ...id, detail, recipe: recipe ?? null, problem };
}
