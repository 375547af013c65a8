import type { Recipe } from '../../contract/catalog/catalog.ts';
import type { CardLayers } from '../../contract/catalog/models.ts';
import type { ModelFacts } from '../catalog-entry.ts';
import type { CardMemory } from '../compute/compute-offer.ts';
import { type MemoryNeed, needBytes, weightBytes } from './memory-estimate.ts';

/** How a model of llama.cpp fits a graphics card, with its shortest context. */
export interface CardFit {
  /** Null: it does not fit, not even partly. */
  readonly place: 'card' | 'card-partly' | null;
  /** Null: none are on the card, or their number is unknown. */
  readonly layers: CardLayers | null;
  /** The memory that it fits in, or that is too small for it, in bytes: of the card, or of the card and the machine. */
  readonly capacityBytes: number;
}

/**
 * Places a model on a graphics card: as a whole if its need is at most the card's free memory, else as many layers as have
 * room there. Without a known number of layers it fits as a whole or not at all. See `layersOnCard` for the formula.
 */
export function cardFit(facts: ModelFacts, recipe: Recipe, need: MemoryNeed, card: CardMemory): CardFit {
  const { freeBytes, hostBytes } = card;
  const all = facts.arch === undefined ? null : facts.arch.layers + 1;
  const neededBytes = needBytes(need, 1);
  if (neededBytes <= freeBytes) {
    return { place: 'card', layers: all === null ? null : { onCard: all, all }, capacityBytes: freeBytes };
  }
  if (all === null) return { place: null, layers: null, capacityBytes: freeBytes };
  const bothBytes = freeBytes + hostBytes;
  const onCard = layersOnCard(all, weightBytes(facts, recipe) ?? 0, need, card);
  if (onCard > 0) return { place: 'card-partly', layers: { onCard, all }, capacityBytes: bothBytes };
  return { place: null, layers: null, capacityBytes: neededBytes > bothBytes ? bothBytes : freeBytes };
}

/**
 * The layers of a model that have room on a graphics card which is too small for all. With W for the weights, KV for the
 * cache of the shortest context, A for all layers and F for what the need has besides:
 * - llama.cpp counts the output layer as one more, and takes it to the card first (`load_tensors` in its llama-model.cpp)
 * - each layer is taken for W ÷ A + KV ÷ (A − 1): the output layer has no cache, so this is an upper bound
 * - the card holds F and its layers; the machine holds the others, and F again, since both sides compute
 * @param all at least 2
 * @returns from 1 to A − 1; 0: none have room, or the machine has none for the others
 */
function layersOnCard(all: number, weights: number, need: MemoryNeed, { freeBytes, hostBytes }: CardMemory): number {
  const cacheBytes = need.bytesPerToken * need.minTokens;
  const layerBytes = weights / all + cacheBytes / (all - 1);
  const fixedBytes = Math.max(0, needBytes(need, 1) - weights - cacheBytes);
  const onCard = Math.min(all - 1, Math.floor((freeBytes - fixedBytes) / layerBytes));
  const isRoomForOthers = fixedBytes + (all - onCard) * layerBytes <= hostBytes;
  return isRoomForOthers ? Math.max(0, onCard) : 0;
}
