import type { EndpointModel } from '../../contract/endpoints/endpoint-model.ts';
import type { GgufFacts } from '../../contract/model-files/model-files.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { llamaWords } from '../description/llama-arguments.ts';
import { cacheBytesPerToken } from './memory-check.ts';

/** The requests that a replica of llama.cpp answers at the same time. */
export interface Slots {
  readonly count: number;
  /** The key-value cache of all of them together, shared out evenly, in tokens; null: the engine's own choice. */
  readonly cacheTokens: number | null;
}

/** The numbers of slots to try where none is set, the most first. */
export const SLOT_COUNTS = [4, 2, 1];
/** More than one slot may take this share of the memory for models: other endpoints need some too. */
const MEMORY_SHARE = 0.5;

/**
 * Chooses the slots of a model. Where their number is not set, each has the whole context that is set, and there are as
 * many as the memory has room for; without a set context there is one, which has all that the engine chooses. Left to
 * itself, llama.cpp opens four slots that share one context, so that requests end each other.
 * @param capacityBytes the memory for models
 * @param replaced the slots of a replica that goes once this one is there: it has as many where both fit; 0: none goes
 * @returns null: the image is not of llama.cpp
 */
export function slotsOf(
  { args, image: { llamacpp } }: EndpointModel,
  facts: Pick<GgufFacts, 'sizeBytes' | 'shape'>,
  capacityBytes: number,
  replaced = 0,
): Slots | null {
  if (!llamacpp) return null;
  const cacheTokens = llamacpp.ctxSize || null;
  const set = ownNumber(args, ['-np', '--parallel']) ?? (llamacpp.nParallel || null);
  if (set !== null) return { count: set, cacheTokens };
  const perToken = cacheBytesPerToken(facts);
  const hasOwnContext = ownNumber(args, ['-c', '--ctx-size']) !== null;
  if (cacheTokens === null || perToken === 0 || hasOwnContext) return { count: 1, cacheTokens };
  const hasRoom = (count: number) => {
    const share = count <= replaced ? 1 : MEMORY_SHARE;
    return facts.sizeBytes + count * cacheTokens * perToken <= share * capacityBytes;
  };
  const count = SLOT_COUNTS.find(hasRoom) ?? 1;
  return { count, cacheTokens: count * cacheTokens };
}

/** The parts of an endpoint with the slots of its replicas set. */
export function withSlots(parts: EndpointParts, slots: Slots | null): EndpointParts {
  const { llamacpp } = parts.model.image;
  if (!llamacpp || slots === null) return parts;
  const image = { llamacpp: { ...llamacpp, ctxSize: slots.cacheTokens, nParallel: slots.count } };
  return { ...parts, model: { ...parts.model, image } };
}

/** The number that an endpoint's own arguments set, which win over its image; null: none. */
export function ownNumber(args: readonly string[] | null | undefined, names: readonly string[]): number | null {
  const words = llamaWords(args);
  const at = words.findLastIndex((word) => names.includes(word));
  return at === -1 ? null : Number(words[at + 1]);
}
