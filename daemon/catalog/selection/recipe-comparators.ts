import type { Accelerator, EngineType } from '../../contract/catalog/catalog.ts';
import type { CatalogEntry } from '../catalog-entry.ts';
import { LOCAL_REGION } from '../compute/compute-offer.ts';
import { weightBytes } from './memory-estimate.ts';
import type { Considered } from './selection.ts';

type Comparator<T> = (a: T, b: T) => number;

/** With this many parameters or more, a CPU is too slow to be preferred. */
const LARGE_PARAMETERS = 1e9;
/** Up to this share of the memory of a machine with other programs, higher precision is preferred. */
export const COMFORTABLE_RATIO = 0.8;

/** Ranks by preference, the best first; `card-partly`: a graphics card that holds only some of the layers. */
type ComputeRanks = Readonly<Record<Accelerator | 'card-partly', number>>;
const forLarge: ComputeRanks = { gpu: 0, neuron: 1, 'card-partly': 2, cpu: 3 };
const forSmall: ComputeRanks = { cpu: 0, gpu: 1, neuron: 2, 'card-partly': 3 };

/** First llama.cpp, which this machine runs itself. */
type EngineRanks = Readonly<Record<EngineType, number>>;
const forGeneration: EngineRanks = { llamacpp: 0, vllm: 1, sglang: 2, vllmOmni: 3, vllmNeuron: 4, tei: 5, custom: 6 };
const forEmbedding: EngineRanks = { llamacpp: 0, tei: 1, vllm: 2, sglang: 3, vllmOmni: 4, vllmNeuron: 5, custom: 6 };
const embeddingTasks: ReadonlySet<string> = new Set([
  'feature-extraction',
  'sentence-similarity',
  'text-ranking',
  'text-classification',
  'token-classification',
  'zero-shot-classification',
]);

/** The better of two; the first if they rank the same. */
export function better<T>(best: T | null, other: T | null, compare: Comparator<T>): T | null {
  if (best === null || other === null) return best ?? other;
  return compare(other, best) < 0 ? other : best;
}

/**
 * Compares the places of one recipe, best first: by price, then those with all layers in one place, then those with memory
 * left, then by capacity, the smallest first, then this machine. Places that rank the same stay in the order of their ids.
 */
export const comparePlaces: Comparator<Considered> = (a, b) =>
  a.offer.pricePerHour - b.offer.pricePerHour ||
  Number(isPartly(a)) - Number(isPartly(b)) ||
  Number(isCrowded(a)) - Number(isCrowded(b)) ||
  a.capacityBytes - b.capacityBytes ||
  Number(isAway(a)) - Number(isAway(b));

const isPartly = ({ place }: Considered) => place === 'card-partly';
const isAway = ({ offer }: Considered) => offer.region !== LOCAL_REGION;

/**
 * Compares recipes in places, best first: what costs nothing before what costs money, then by accelerator, by engine, by
 * precision, then by place. A graphics card that holds only some of the layers is an accelerator of its own. Among the
 * places of one recipe it is the order of `comparePlaces`. Recipes that rank the same stay in the order of their
 * publicIds; the order in the catalog has no meaning.
 *
 * More memory, another account or another program adds pairs or raises the rank of one, so it never leads to a choice
 * that ranks lower up to the price.
 */
export function recipeComparator(entry: CatalogEntry): Comparator<Considered> {
  const compareChoices = choiceComparator(entry);
  return (a, b) => compareChoices(a, b) || comparePlaces(a, b);
}

/** Compares as `recipeComparator`, up to the price: what is left decides between equals. */
export function choiceComparator({ item, facts }: CatalogEntry): Comparator<Considered> {
  const engines = embeddingTasks.has(item.task) ? forEmbedding : forGeneration;
  const isLarge = (facts.parameterCount ?? 0) >= LARGE_PARAMETERS;
  const costs = ({ offer }: Considered) => Number(offer.pricePerHour > 0);
  const accelerator = ({ recipe: { accelerator, engineType }, place }: Considered) =>
    (isLarge || isForLarge(engineType) ? forLarge : forSmall)[place === 'card-partly' ? place : accelerator];
  const engine = ({ recipe: { engineType } }: Considered) => engines[engineType];
  // Within one model, larger weights have a higher precision.
  const weights = ({ recipe }: Considered) => weightBytes(facts, recipe) ?? 0;
  const comparePrecision: Comparator<Considered> = (a, b) => {
    const [isACrowded, isBCrowded] = [isCrowded(a), isCrowded(b)];
    if (isACrowded !== isBCrowded) return isACrowded ? 1 : -1;
    return isACrowded ? weights(a) - weights(b) : weights(b) - weights(a);
  };
  return (a, b) =>
    costs(a) - costs(b) ||
    accelerator(a) - accelerator(b) ||
    engine(a) - engine(b) ||
    comparePrecision(a, b) ||
    a.offer.pricePerHour - b.offer.pricePerHour;
}

const isForLarge = (engine: EngineType) => engine === 'vllm' || engine === 'sglang' || engine === 'vllmOmni';

/**
 * Whether it leaves too little for other programs: a model that is partly on a graphics card takes all of the card. Nothing
 * else runs on a machine that is rented for it.
 */
const isCrowded = ({ offer, ratio, place }: Considered) =>
  offer.pricePerHour === 0 && (ratio === null || ratio > COMFORTABLE_RATIO || place === 'card-partly');
