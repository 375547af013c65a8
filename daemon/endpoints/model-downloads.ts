import type { Catalog } from '../catalog/catalog.ts';
import type { ModelFacts } from '../catalog/catalog-entry.ts';
import { CatalogItemNotFound } from '../catalog/errors.ts';
import { weightBytes } from '../catalog/selection/memory-estimate.ts';
import type { Recipe } from '../contract/catalog/catalog.ts';
import type { ModelDownloads as Downloads, RecipeDownload } from '../contract/catalog/models.ts';
import type { WantedModel } from '../model-files/model-choice.ts';
import type { ModelFiles } from '../model-files/model-files.ts';

interface ModelDownloadsDeps {
  readonly catalog: { readonly kind: 'embedded' | 'remote'; load(): Promise<Catalog> };
  readonly modelFiles: Pick<ModelFiles, 'downloadSize' | 'repositorySize' | 'disk' | 'lackingBytes'>;
}

/** The downloads that deploys of the catalog's models would need on this machine. */
export class ModelDownloads {
  readonly #deps: ModelDownloadsDeps;

  constructor(deps: ModelDownloadsDeps) {
    this.#deps = deps;
  }

  /**
   * Of each recipe that this machine may serve: files for llama.cpp, a whole repository for an engine in a container. A
   * custom recipe names no image, so none. None with a remote catalog, whose service serves them.
   * @throws CatalogItemNotFound, CatalogUnavailable
   */
  async of(author: string, model: string): Promise<Downloads> {
    const { catalog, modelFiles } = this.#deps;
    const { kind } = catalog; // read before the await: another catalog may be chosen meanwhile
    const entry = (await catalog.load()).find(author, model);
    if (!entry) throw new CatalogItemNotFound(`${author}/${model}`);
    const { item, facts } = entry;
    const disk = await modelFiles.disk();
    const served = kind === 'remote' ? [] : item.recipes.filter(({ engineType }) => engineType !== 'custom');
    const recipes = served.map((recipe) => this.#download(item.repoId, facts, recipe, disk?.freeBytes ?? null));
    return { recipes: await Promise.all(recipes), disk };
  }

  async #download(
    repository: string,
    facts: ModelFacts,
    recipe: Recipe,
    freeBytes: number | null,
  ): Promise<RecipeDownload> {
    const { modelFiles } = this.#deps;
    const known =
      recipe.engineType === 'llamacpp'
        ? await modelFiles.downloadSize(wantedModel(repository, facts, recipe))
        : await modelFiles.repositorySize({ repository, revision: recipe.revision ?? null });
    const estimate = weightBytes(facts, recipe);
    const totalBytes = known?.totalBytes ?? (estimate === null ? null : Math.round(estimate));
    const missingBytes = known ? known.missingBytes : totalBytes;
    return {
      publicId: recipe.publicId,
      totalBytes,
      isExact: known !== null,
      missingBytes,
      lackingBytes:
        missingBytes === null || freeBytes === null ? null : modelFiles.lackingBytes(missingBytes, freeBytes),
    };
  }
}

/** The files that an endpoint of a recipe uses. A recipe without a file name loads the repository's only model. */
const wantedModel = (repository: string, { mmprojFile }: ModelFacts, recipe: Recipe): WantedModel => ({
  ...{ repository, revision: recipe.revision ?? null },
  ...{ model: recipe.ggufFile ?? '*.gguf', mmproj: mmprojFile ?? null, draft: null },
});
