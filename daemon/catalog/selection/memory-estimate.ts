import type { Accelerator, Recipe } from '../../contract/catalog/catalog.ts';
import type { ModelFacts } from '../catalog-entry.ts';

const MiB = 1024 ** 2;
const GiB = 1024 ** 3;

/** The shortest context worth deploying, in tokens, unless the model's own is shorter: a conversation soon needs it. */
const MIN_CONTEXT_TOKENS = 8192;
/** The context sizes to try below a model's own, in tokens. */
const CONTEXT_TOKENS = [32_768, 16_384, MIN_CONTEXT_TOKENS] as const;
/** The size of a number in the key-value cache: f16. */
const CACHE_BYTES = 2;
/** An upper bound for the vision file, whose size is unknown; it is not larger than the model either. */
const MAX_MMPROJ_BYTES = 1.4e9;

/**
 * Effective bits a weight of the common kinds of .gguf file, scales and mixtures included: from llama.cpp's table for an
 * 8B model (tools/quantize/README.md), and from the block layout where a kind has no mixture.
 */
const ggufBits: readonly (readonly [kind: RegExp, bits: number])[] = (
  [
    ['q2_k', 3.16],
    ['q3_k_s', 3.65],
    ['q3_k_m', 4],
    ['q3_k_l', 4.3],
    ['q4_0', 4.5],
    ['q4_k_s', 4.67],
    ['q4_k_m', 4.89],
    ['q5_0', 5.5],
    ['q5_k_s', 5.57],
    ['q5_k_m', 5.7],
    ['q6_k', 6.6],
    ['q8_0', 8.5],
    ['mxfp4', 4.6],
    ['b?f16|fp16', 16],
    ['f32|fp32', 32],
  ] as const
).map(([kind, bits]) => [new RegExp(`(?:^|[-_./])(?:${kind})(?=[-_.]|$)`, 'i'), bits]);

/** Bits a weight of other files; MXFP4 keeps its embeddings and attention in 16 bits. */
const dtypeBits: Readonly<Record<string, number>> = { f16: 16, bf16: 16, f32: 32, mxfp4: 5.3 };

/** The parts of a recipe's memory need, in bytes. */
export interface MemoryNeed {
  /** The weights and the engine's overhead. */
  readonly fixedBytes: number;
  /** Added for each accelerator. */
  readonly bytesPerAccelerator: number;
  /** The key-value cache; 0: no cache, or its shape is unknown. */
  readonly bytesPerToken: number;
  /** The tokens that must fit. */
  readonly minTokens: number;
  /** The most that a context of so many tokens took, from measurements; see `correctedNeed`. */
  readonly known: readonly { readonly tokens: number; readonly bytes: number }[];
}

/**
 * The size of a recipe's weights: that of its file if known, else parameters × bits a weight ÷ 8.
 * @returns bytes; null: unknown
 */
export function weightBytes(facts: ModelFacts, recipe: Recipe): number | null {
  const known = facts.weightBytes[recipe.publicId];
  if (known !== undefined) return known;
  const bits = bitsPerWeight(facts, recipe);
  return bits === undefined || facts.parameterCount === undefined ? null : (facts.parameterCount * bits) / 8;
}

function bitsPerWeight({ nativeDtype }: ModelFacts, { ggufFile }: Recipe): number | undefined {
  if (ggufFile !== undefined) return ggufBits.find(([kind]) => kind.test(ggufFile))?.[1];
  return nativeDtype === undefined ? undefined : dtypeBits[nativeDtype];
}

/**
 * An upper bound for most models, by engine, with W for the weights and KV for the cache of the shortest context:
 * - llamacpp: W + KV + max(256 MiB, 5 % of W) for its graph + 512 MiB for itself + the vision file if it has one
 * - vllm, sglang and their relatives: 1.05 W + KV + 1.5 GiB on each accelerator: activations and captured graphs
 * - tei, custom: 1.2 W + 512 MiB; 16-bit weights count twice on a CPU, which computes in 32 bits
 * @returns null when the size of the weights is unknown
 */
export function memoryNeed(facts: ModelFacts, recipe: Recipe): MemoryNeed | null {
  const weights = weightBytes(facts, recipe);
  if (weights === null) return null;
  const minTokens = Math.min(facts.contextLength ?? MIN_CONTEXT_TOKENS, MIN_CONTEXT_TOKENS);
  switch (recipe.engineType) {
    case 'llamacpp': {
      const visionBytes = facts.mmprojFile === undefined ? 0 : Math.min(MAX_MMPROJ_BYTES, weights);
      const fixedBytes = weights + Math.max(256 * MiB, 0.05 * weights) + 512 * MiB + visionBytes;
      return { fixedBytes, bytesPerAccelerator: 0, bytesPerToken: cacheBytesPerToken(facts), minTokens, known: [] };
    }
    case 'vllm':
    case 'sglang':
    case 'vllmOmni':
    case 'vllmNeuron':
      return {
        fixedBytes: 1.05 * weights,
        bytesPerAccelerator: 1.5 * GiB,
        bytesPerToken: cacheBytesPerToken(facts),
        minTokens,
        known: [],
      };
    case 'tei':
    case 'custom': {
      const loaded = isWidened(facts, recipe.accelerator) ? 2 * weights : weights;
      return { fixedBytes: 1.2 * loaded + 512 * MiB, bytesPerAccelerator: 0, bytesPerToken: 0, minTokens, known: [] };
    }
  }
}

const isWidened = ({ nativeDtype }: ModelFacts, accelerator: Accelerator) =>
  accelerator === 'cpu' && (nativeDtype === 'bf16' || nativeDtype === 'f16');

/** The keys and values of every layer and key-value head; a sliding window needs less. */
const cacheBytesPerToken = ({ arch }: ModelFacts) =>
  arch === undefined ? 0 : 2 * arch.layers * arch.kvHeads * arch.headDim * CACHE_BYTES;

/**
 * The memory needed on a number of accelerators. A context takes no more than a longer one whose use is known.
 * @param tokens of the context; absent: the shortest
 */
export function needBytes(need: MemoryNeed, numAccelerators: number, tokens: number = need.minTokens): number {
  const { fixedBytes, bytesPerAccelerator, bytesPerToken, known } = need;
  let bytes = fixedBytes + bytesPerAccelerator * numAccelerators + bytesPerToken * tokens;
  for (const use of known) bytes = Math.min(bytes, use.bytes + bytesPerToken * Math.max(0, tokens - use.tokens));
  return bytes;
}

/**
 * The longest context that fits beside the weights: the model's own, or one of the common sizes below.
 * @returns tokens, at least `minTokens`; null: unknown, and the engine decides
 */
export function contextThatFits(facts: ModelFacts, need: MemoryNeed, capacityBytes: number): number | null {
  const { contextLength } = facts;
  if (contextLength === undefined || need.bytesPerToken === 0) return null;
  const fits = (tokens: number) => needBytes(need, 1, tokens) <= capacityBytes;
  if (fits(contextLength)) return contextLength;
  return CONTEXT_TOKENS.find((tokens) => tokens < contextLength && fits(tokens)) ?? need.minTokens;
}
