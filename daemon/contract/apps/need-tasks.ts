/** The other tasks of endpoints that serve a task. Has no schemas, so that pages can load it. */
const alsoServedBy: Readonly<Record<string, readonly string[]>> = {
  'text-generation': ['image-text-to-text'],
  'feature-extraction': ['sentence-embeddings', 'sentence-similarity'],
  'sentence-similarity': ['sentence-embeddings', 'feature-extraction'],
  'text-ranking': ['sentence-ranking'],
};

/** The task of an endpoint whose owner has not named what it serves. */
export const CUSTOM_TASK = 'custom';

/** Whether an endpoint with the task `served` may suit a need of the task `wanted`; a custom one may suit any. */
export function servesTask(wanted: string, served: string): boolean {
  return served === wanted || served === CUSTOM_TASK || (alsoServedBy[wanted]?.includes(served) ?? false);
}
