import type { GgufFacts } from '../../contract/model-files/model-files.ts';

/** Without a pooling, llama-server refuses embeddings with 400. @param ofFile the pooling that the model's file names */
export function poolingOf(
  { mode, pooling }: { readonly mode?: string | null | undefined; readonly pooling?: string | null | undefined },
  ofFile: GgufFacts['pooling'],
): string | null {
  const hasNone = ofFile === null || ofFile === 'none';
  return pooling ?? (mode === 'embeddings' && hasNone ? 'mean' : null);
}
