/** The other tasks of endpoints that serve a task. Has no schemas, so that pages can load it. */
const alsoServedBy: Readonly<Record<string, readonly string[]>> = {
  'text-generation': ['image-text-to-text'],
  'feature-extraction': ['sentence-embeddings', 'sentence-similarity'],
  'sentence-similarity': ['sentence-embeddings', 'feature-extraction'],
  'text-ranking': ['sentence-ranking'],
};

/** Whether an endpoint with the task `served` suits a need of the task `wanted`. */
export function servesTask(wanted: string, served: string): boolean {
  return served === wanted || (alsoServedBy[wanted]?.includes(served) ?? false);
}
