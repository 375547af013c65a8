import type { Accelerator, Recipe } from '../../contract/catalog/catalog.ts';
import type { ModelFacts } from '../index/catalog-entry.ts';

const MiB = 1024 ** 2;
const GiB = 1024 ** 3;

/** Tokens that a model must have room for at least, unless it knows fewer: what a conversation soon takes. */
const LEAST_CONTEXT_TOKENS = 8192;
/** The sizes below a model's own that are tried, in tokens. */
const CONTEXT_TOKENS = [32_768, 16_384, LEAST_CONTEXT_TOKENS] as const;
/** Of one number of the cache of keys and values: f16. */
const CACHE_BYTES = 2;
/** What lets a model see comes in a file whose size is not told: those in use are no larger, nor than the model. */
const MOST_MMPROJ_BYTES = 1.4e9;

/**
 * Effective bits a weight of the usual kinds of .gguf file, scales and mixtures included: as llama.cpp's own table
 * measures them on an 8B model (tools/quantize/README.md), those of its plain blocks by their layout.
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

/** The same of the usual types of other weights; MXFP4 keeps its embeddings and attention in 16. */
const dtypeBits: Readonly<Record<string, number>> = { f16: 16, bf16: 16, f32: 32, mxfp4: 5.3 };

/** What a recipe's memory is made of, in bytes. */
export interface MemoryNeed {
  /** The weights, and what the engine takes beside them. */
  readonly fixedBytes: number;
  /** Once on each accelerator. */
  readonly bytesPerAccelerator: number;
  /** Of the cache of keys and values; 0: it keeps none, or its shape is not known. */
  readonly bytesPerToken: number;
  /** How many tokens it must have room for. */
  readonly leastTokens: number;
}

/**
 * The weights of a recipe: the size of its file where it is known, else parameters × bits a weight ÷ 8.
 * @returns bytes; null: nothing tells
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
 * An upper bound for most models, by engine, with W for the weights and KV for the cache of least context:
 * - llamacpp: W + KV + max(256 MiB, 5 % of W) + 512 MiB: its graph and its own; with the model's eyes where it has some
 * - vllm, sglang and their relatives: 1.05 W + KV + 1.5 GiB on each accelerator: activations and captured graphs
 * - tei, custom: 1.2 W + 512 MiB; weights of 16 bits count twice on a CPU, which computes in 32
 * @returns null where the weights are not known
 */
export function memoryNeed(facts: ModelFacts, recipe: Recipe): MemoryNeed | null {
  const weights = weightBytes(facts, recipe);
  if (weights === null) return null;
  const leastTokens = Math.min(facts.contextLength ?? LEAST_CONTEXT_TOKENS, LEAST_CONTEXT_TOKENS);
  switch (recipe.engineType) {
    case 'llamacpp': {
      const eyes = facts.mmprojFile === undefined ? 0 : Math.min(MOST_MMPROJ_BYTES, weights);
      const fixedBytes = weights + Math.max(256 * MiB, 0.05 * weights) + 512 * MiB + eyes;
      return { fixedBytes, bytesPerAccelerator: 0, bytesPerToken: cacheBytesPerToken(facts), leastTokens };
    }
    case 'vllm':
    case 'sglang':
    case 'vllmOmni':
    case 'vllmNeuron':
      return {
        fixedBytes: 1.05 * weights,
        bytesPerAccelerator: 1.5 * GiB,
        bytesPerToken: cacheBytesPerToken(facts),
        leastTokens,
      };
    case 'tei':
    case 'custom': {
      const loaded = isWidened(facts, recipe.accelerator) ? 2 * weights : weights;
      return { fixedBytes: 1.2 * loaded + 512 * MiB, bytesPerAccelerator: 0, bytesPerToken: 0, leastTokens };
    }
  }
}

const isWidened = ({ nativeDtype }: ModelFacts, accelerator: Accelerator) =>
  accelerator === 'cpu' && (nativeDtype === 'bf16' || nativeDtype === 'f16');

/** Keys and values of every layer, of the heads that have some; a sliding window needs less. */
const cacheBytesPerToken = ({ arch }: ModelFacts) =>
  arch === undefined ? 0 : 2 * arch.layers * arch.kvHeads * arch.headDim * CACHE_BYTES;

/** What it takes on so many accelerators, with room for its least context. */
export const needBytes = (need: MemoryNeed, numAccelerators: number): number =>
  need.fixedBytes + need.bytesPerAccelerator * numAccelerators + need.bytesPerToken * need.leastTokens;

/**
 * The longest context that has room beside the weights: all that the model knows, or one of the usual sizes below.
 * @returns tokens, never fewer than the need counts; null: not known, and the engine finds out itself
 */
export function contextThatFits(facts: ModelFacts, need: MemoryNeed, capacityBytes: number): number | null {
  const { contextLength } = facts;
  if (contextLength === undefined || need.bytesPerToken === 0) return null;
  const fits = (tokens: number) => need.fixedBytes + need.bytesPerToken * tokens <= capacityBytes;
  if (fits(contextLength)) return contextLength;
  return CONTEXT_TOKENS.find((tokens) => tokens < contextLength && fits(tokens)) ?? need.leastTokens;
}
