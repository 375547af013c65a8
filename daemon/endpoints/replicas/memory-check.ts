import { gigabytes } from '../../catalog/selection/selection-reasons.ts';
import type { GgufFacts } from '../../contract/model-files/model-files.ts';
import { EndpointFailed } from './endpoint-failed.ts';

/** The context that a server takes when none is set, in tokens; llama.cpp shortens it when memory is short. */
const USUAL_CONTEXT_TOKENS = 4_096;
/** The size of a number in the key-value cache: f16. */
const CACHE_BYTES = 2;

/**
 * The least memory that serves a model: its weights, and the keys and values of its context. The estimate for the
 * catalog (memory-estimate.ts) adds what an engine usually takes beside them; a start is refused only below the least.
 * @param ctxSize tokens; null: the server chooses
 */
export function leastMemoryBytes({ sizeBytes, shape, contextLength }: GgufFacts, ctxSize: number | null): number {
  const tokens = ctxSize ?? Math.min(contextLength ?? USUAL_CONTEXT_TOKENS, USUAL_CONTEXT_TOKENS);
  const perToken = shape === null ? 0 : 2 * shape.layers * shape.kvHeads * shape.headDim * CACHE_BYTES;
  return sizeBytes + tokens * perToken;
}

/** @param availableBytes null: unknown @throws EndpointFailed when the model cannot fit */
export function requireMemory(leastBytes: number, availableBytes: number | null): void {
  if (availableBytes === null || leastBytes <= availableBytes) return;
  throw new EndpointFailed({
    reason: 'no-memory',
    message: `The model needs at least ${gigabytes(leastBytes)} of memory, and ${gigabytes(availableBytes)} are available.`,
    action:
      'Close other programs or let other endpoints sleep, or deploy a smaller model or a shorter context; then resume it.',
  });
}
