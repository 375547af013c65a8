import { byteText } from '../../contract/common/byte-text.ts';
import type { GgufFacts } from '../../contract/model-files/model-files.ts';
import { EndpointFailed } from '../failures/endpoint-failed.ts';

/** The context that a server takes when none is set, in tokens; llama.cpp shortens it when memory is short. */
const USUAL_CONTEXT_TOKENS = 4_096;
/** The size of a number in the key-value cache: f16, and q4_0, the smallest that an argument may set. */
const CACHE_BYTES = 2;
const SMALLEST_CACHE_BYTES = 18 / 32;
/** Their layers all keep every token. */
const FULL_CACHES: ReadonlySet<string> = new Set(
  'llama qwen2 qwen2moe qwen3 qwen3moe granite granitemoe phi2 stablelm starcoder2 gemma command-r smollm3'.split(' '),
);
/** Of other models' layers many keep a short window, or no token at all: at least this part of them keeps every token. */
const LEAST_FULL_PART = 1 / 8;

/**
 * The least memory that serves a model: its weights, and the keys and values of its context. The estimate for the
 * catalog (memory-estimate.ts) adds what an engine usually takes beside them; a start is refused only below the least.
 * @param cache `ctxSize` in tokens, null: the server chooses; `hasOwnType`: an argument sets the type of its numbers
 */
export function leastMemoryBytes(
  { sizeBytes, shape, contextLength, architecture }: GgufFacts,
  { ctxSize, hasOwnType }: { readonly ctxSize: number | null; readonly hasOwnType: boolean },
): number {
  const tokens = ctxSize ?? Math.min(contextLength ?? USUAL_CONTEXT_TOKENS, USUAL_CONTEXT_TOKENS);
  const part = FULL_CACHES.has(architecture) ? 1 : LEAST_FULL_PART;
  return sizeBytes + tokens * cacheBytesPerToken({ shape }, hasOwnType ? SMALLEST_CACHE_BYTES : CACHE_BYTES) * part;
}

/**
 * The keys and values of a token in all layers.
 * @param numberBytes the size of each number; absent: of f16
 * @returns bytes; 0: unknown, or none
 */
export function cacheBytesPerToken({ shape }: Pick<GgufFacts, 'shape'>, numberBytes = CACHE_BYTES): number {
  return shape === null ? 0 : 2 * shape.layers * shape.kvHeads * shape.headDim * numberBytes;
}

/** @param availableBytes null: unknown @throws EndpointFailed when the model cannot fit */
export function requireMemory(leastBytes: number, availableBytes: number | null): void {
  if (availableBytes === null || leastBytes <= availableBytes) return;
  throw new EndpointFailed({
    reason: 'no-memory',
    message: `The model needs at least ${byteText(leastBytes)} of memory, ${byteText(leastBytes - availableBytes)} more than is available.`,
    action:
      'Close other programs or let other endpoints sleep, or deploy a smaller model or a shorter context; then resume it.',
  });
}
