import type { ModelFacts } from '../catalog/index/catalog-entry.ts';
import type { Recipe } from '../contract/catalog/catalog.ts';
import type { EndpointImage } from '../contract/endpoints/endpoint-image.ts';
import { completeImage, HEALTH_ROUTE } from './model-rules.ts';

/** Where a container finds the files of its model's repository. */
const REPOSITORY = '/repository';

/**
 * What serves the models of a recipe. Its url names an engine and what it computes on, such as `engines/vllm:gpu`, and no
 * registry: which image or program that is on a machine is for its runtime to know.
 */
export function imageOf({
  entry: { facts },
  recipe,
  ctxSize,
  tensorParallelSize,
}: {
  readonly entry: { readonly facts: ModelFacts };
  readonly recipe: Recipe;
  readonly ctxSize: number | null;
  readonly tensorParallelSize: number | null;
}): EndpointImage {
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

/** A repository of one model need not say which of its files that is. */
function modelFiles({ ggufFile }: Recipe): { modelPath: string; variant?: string } {
  return ggufFile === undefined
    ? { modelPath: REPOSITORY, variant: '*.gguf' }
    : { modelPath: `${REPOSITORY}/${ggufFile}` };
}
