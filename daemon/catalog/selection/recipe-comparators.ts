import type { Accelerator, EngineType } from '../../contract/catalog/catalog.ts';
import type { CatalogEntry } from '../search/catalog-entry.ts';
import { weightBytes } from './memory-estimate.ts';
import type { Considered, SelectionPolicy } from './selection.ts';

type Comparator<T> = (a: T, b: T) => number;

/** With this many parameters or more, a CPU is too slow to be preferred. */
const LARGE_PARAMETERS = 1e9;
/** Up to this share of the memory, higher precision is preferred. */
export const COMFORTABLE_RATIO = 0.8;

const forLarge: readonly Accelerator[] = ['gpu', 'neuron', 'cpu'];
const forSmall: readonly Accelerator[] = ['cpu', 'gpu', 'neuron'];

const forGeneration: readonly EngineType[] = ['vllm', 'sglang', 'llamacpp', 'vllmOmni', 'vllmNeuron', 'tei', 'custom'];
const forEmbedding: readonly EngineType[] = ['tei', 'llamacpp', 'vllm', 'sglang', 'vllmOmni', 'vllmNeuron', 'custom'];
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
 * Compares the places of one recipe, best first: by price, then by capacity, the default region first. Places that rank
 * the same stay in the order of their ids.
 */
export function placeComparator({ defaultRegion }: SelectionPolicy): Comparator<Considered> {
  const isAway = ({ offer }: Considered) => Number(offer.region !== defaultRegion);
  return (a, b) =>
    a.offer.pricePerHour - b.offer.pricePerHour || a.capacityBytes - b.capacityBytes || isAway(a) - isAway(b);
}

/**
 * Compares the recipes of a model, best first, each in its best place: by accelerator, by engine, by precision, then by
 * place. Recipes that rank the same stay in the order of their publicIds; the order in the catalog has no meaning.
 */
export function recipeComparator({ item, facts }: CatalogEntry, policy: SelectionPolicy): Comparator<Considered> {
  const engines = embeddingTasks.has(item.task) ? forEmbedding : forGeneration;
  const isLarge = (facts.parameterCount ?? 0) >= LARGE_PARAMETERS;
  const comparePlaces = placeComparator(policy);
  const accelerator = ({ recipe: { accelerator, engineType } }: Considered) =>
    (isLarge || isForLarge(engineType) ? forLarge : forSmall).indexOf(accelerator);
  const engine = ({ recipe: { engineType } }: Considered) =>
    policy.prefersLlamacpp && engineType === 'llamacpp' ? -1 : engines.indexOf(engineType);
  // Within one model, larger weights have a higher precision.
  const weights = ({ recipe }: Considered) => weightBytes(facts, recipe) ?? 0;
  const comparePrecision: Comparator<Considered> = (a, b) => {
    const [isAComfortable, isBComfortable] = [isComfortable(a), isComfortable(b)];
    if (isAComfortable !== isBComfortable) return isAComfortable ? -1 : 1;
    return isAComfortable ? weights(b) - weights(a) : weights(a) - weights(b);
  };
  return (a, b) =>
    accelerator(a) - accelerator(b) || engine(a) - engine(b) || comparePrecision(a, b) || comparePlaces(a, b);
}

const isForLarge = (engine: EngineType) => engine === 'vllm' || engine === 'sglang' || engine === 'vllmOmni';
const isComfortable = ({ ratio }: Considered) => ratio !== null && ratio <= COMFORTABLE_RATIO;
