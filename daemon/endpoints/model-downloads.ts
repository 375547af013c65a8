import type { ModelFacts } from '../catalog/catalog-entry.ts';
import { CatalogItemNotFound } from '../catalog/errors.ts';
import type { ChosenCatalog } from '../catalog/remote/chosen-catalog.ts';
import { weightBytes } from '../catalog/selection/memory-estimate.ts';
import type { Recipe } from '../contract/catalog/catalog.ts';
import type { ModelDownloads, RecipeDownload } from '../contract/catalog/models.ts';
import { HubError, type HubErrorKind } from '../hub/errors.ts';
import type { ModelFileError } from '../model-files/errors.ts';
import type { WantedModel } from '../model-files/model-choice.ts';
import type { ModelFiles } from '../model-files/model-files.ts';

type Files = Pick<ModelFiles, 'downloadSize' | 'repositorySize' | 'disk' | 'lackingBytes'>;

/**
 * The downloads that deploys of a model of the catalog would need on this machine, of each recipe that it may serve: files
 * for llama.cpp, a whole repository for an engine in a container. A custom recipe names no image, so none. None with a
 * remote catalog, whose service serves them.
 * @throws CatalogItemNotFound, CatalogUnavailable
 */
export async function modelDownloads(
  author: string,
  model: string,
  { catalog, modelFiles }: { readonly catalog: Pick<ChosenCatalog, 'kind' | 'load'>; readonly modelFiles: Files },
): Promise<ModelDownloads> {
  const { kind } = catalog; // read before the await: another catalog may be chosen meanwhile
  const entry = (await catalog.load()).find(author, model);
  if (!entry) throw new CatalogItemNotFound(`${author}/${model}`);
  const { item, facts } = entry;
  const disk = await modelFiles.disk();
  const served = kind === 'remote' ? [] : item.recipes.filter(({ engineType }) => engineType !== 'custom');
  const download = async (recipe: Recipe): Promise<RecipeDownload> => {
    const size =
      recipe.engineType === 'llamacpp'
        ? await modelFiles.downloadSize(wantedModel(item.repoId, facts, recipe))
        : await modelFiles.repositorySize({ repository: item.repoId, revision: recipe.revision ?? null });
    const [known, failure] = size instanceof Error ? [null, size] : [size, null];
    const estimate = weightBytes(facts, recipe);
    const totalBytes = known?.totalBytes ?? (estimate === null ? null : Math.round(estimate));
    const missingBytes = known ? known.missingBytes : totalBytes;
    const lackingBytes = missingBytes === null || !disk ? null : modelFiles.lackingBytes(missingBytes, disk.freeBytes);
    return {
      ...{ publicId: recipe.publicId, totalBytes, isExact: known !== null, missingBytes, lackingBytes },
      problem: failure && { message: failure.message, action: failure.action },
      isBlocked: failure !== null && isCertain(failure),
    };
  };
  return { recipes: await Promise.all(served.map(download)), disk };
}

/** The others may be gone at the next try: the hub is slow, busy or has a problem of its own. */
const certain: ReadonlySet<HubErrorKind> = new Set(['unreachable', 'auth', 'not-found', 'refused-address']);

/** Whether a download would fail for the same reason: of a repository that was read, the files do not suit. */
const isCertain = (failure: HubError | ModelFileError): boolean =>
  !(failure instanceof HubError) || certain.has(failure.kind);

/** The files that an endpoint of a recipe uses. A recipe without a file name loads the repository's only model. */
const wantedModel = (repository: string, { mmprojFile }: ModelFacts, recipe: Recipe): WantedModel => ({
  ...{ repository, revision: recipe.revision ?? null },
  ...{ model: recipe.ggufFile ?? '*.gguf', mmproj: mmprojFile ?? null, draft: null },
});
