import type { CatalogEntry } from '../../catalog/catalog-entry.ts';
import type { Chosen } from '../../catalog/selection/selection.ts';
import type { Recipe } from '../../contract/catalog/catalog.ts';
import type { EndpointImage } from '../../contract/endpoints/endpoint-image.ts';
import { completeImage, HEALTH_ROUTE } from './model-rules.ts';

/** The folder of the model's repository inside a container. */
export const REPOSITORY = '/repository';

/** A model of the catalog, with the recipe that was chosen for it. */
export interface ChosenEngine extends Pick<Chosen, 'recipe' | 'ctxSize' | 'tensorParallelSize'> {
  readonly entry: CatalogEntry;
}

/**
 * The image that serves a recipe's model. Its url names an engine and an accelerator, such as `engines/vllm:gpu`, and no
 * registry: the machine's runtime chooses the image or program.
 */
export function imageOf({ entry: { facts }, recipe, ctxSize, tensorParallelSize }: ChosenEngine): EndpointImage {
  const { engineType, accelerator } = recipe;
  const container = { url: `engines/${engineType.toLowerCase()}:${accelerator}`, healthRoute: HEALTH_ROUTE };
  const parallel = tensorParallelSize === null ? {} : { tensorParallelSize };
  switch (engineType) {
    case 'llamacpp':
      return completeImage({
        llamacpp: {
          ...container,
          ...modelFiles(recipe),
          ...(ctxSize === null ? {} : { ctxSize }),
          ...(facts.mmprojFile === undefined ? {} : { mmprojModelPath: `${REPOSITORY}/${facts.mmprojFile}` }),
          ...(facts.mode === undefined ? {} : { mode: facts.mode }),
        },
      });
    case 'vllm':
      return { vLLM: { ...container, ...parallel } };
    case 'vllmOmni':
      return { vLLMOmni: container };
    case 'vllmNeuron':
      return { vLLMNeuron: container };
    case 'sglang':
      return { sGLang: { ...container, ...parallel } };
    case 'tei':
      return { tei: container };
    case 'custom':
      return { custom: container };
  }
}

/** A recipe without a file name loads the repository's only model. */
function modelFiles({ ggufFile }: Recipe): { modelPath: string; variant?: string } {
  return ggufFile === undefined
    ? { modelPath: REPOSITORY, variant: '*.gguf' }
    : { modelPath: `${REPOSITORY}/${ggufFile}` };
}
