import type { EndpointTask } from '../../contract/endpoints/endpoint-model.ts';

type TaskUse = 'generation' | 'embeddings' | 'reranking';

/** The use that the engines of this machine make of a model, by its task. A model of another task needs a program of its own. */
export const taskUses: Readonly<Partial<Record<EndpointTask, TaskUse>>> = {
  'any-to-any': 'generation',
  custom: 'generation',
  'image-text-to-text': 'generation',
  summarization: 'generation',
  'text-generation': 'generation',
  translation: 'generation',
  'feature-extraction': 'embeddings',
  'sentence-embeddings': 'embeddings',
  'sentence-similarity': 'embeddings',
  'sentence-ranking': 'reranking',
  'text-ranking': 'reranking',
};
