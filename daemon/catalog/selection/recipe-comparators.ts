import type { Accelerator, EngineType } from '../../contract/catalog/catalog.ts';
import type { CatalogEntry } from '../index/catalog-entry.ts';
import { weightBytes } from './memory-estimate.ts';
import type { Considered, SelectionPolicy } from './selection.ts';

type Order<T> = (a: T, b: T) => number;

/** From so many parameters on, a CPU answers too slowly to come first. */
const LARGE_PARAMETERS = 1e9;
/** Up to this share of the memory, weights of higher precision are worth it. */
const COMFORTABLE_RATIO = 0.8;

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

/** Of two that rank the same, the first. */
export function better<T>(best: T | null, other: T | null, order: Order<T>): T | null {
  if (best === null || other === null) return best ?? other;
  return order(other, best) < 0 ? other : best;
}

/**
 * Of the places of one recipe, best first: cheap, then no larger than needed, then at home. What ranks the same is
 * left in the order in which it comes, that of the ids.
 */
export function placeOrder({ defaultRegion }: SelectionPolicy): Order<Considered> {
  const isAway = ({ offer }: Considered) => Number(offer.region !== defaultRegion);
  return (a, b) =>
    a.offer.pricePerHour - b.offer.pricePerHour || a.capacityBytes - b.capacityBytes || isAway(a) - isAway(b);
}

/**
 * Of the recipes of a model, best first, each in its best place: by accelerator, by engine, by precision, then by
 * place. What ranks the same comes in the order of its publicId: not in that of the catalog, which says nothing.
 */
export function recipeOrder({ item, facts }: CatalogEntry, policy: SelectionPolicy): Order<Considered> {
  const engines = embeddingTasks.has(item.task) ? forEmbedding : forGeneration;
  const isLarge = (facts.parameterCount ?? 0) >= LARGE_PARAMETERS;
  const place = placeOrder(policy);
  const accelerator = ({ recipe: { accelerator, engineType } }: Considered) =>
    (isLarge || isForLarge(engineType) ? forLarge : forSmall).indexOf(accelerator);
  const engine = ({ recipe: { engineType } }: Considered) =>
    policy.prefersLlamacpp && engineType === 'llamacpp' ? -1 : engines.indexOf(engineType);
  // Of one model: the higher the precision of its weights, the more they take.
  const weights = ({ recipe }: Considered) => weightBytes(facts, recipe) ?? 0;
  const precision: Order<Considered> = (a, b) => {
    const [isEasyForA, isEasyForB] = [isComfortable(a), isComfortable(b)];
    if (isEasyForA !== isEasyForB) return isEasyForA ? -1 : 1;
    return isEasyForA ? weights(b) - weights(a) : weights(a) - weights(b);
  };
  return (a, b) => accelerator(a) - accelerator(b) || engine(a) - engine(b) || precision(a, b) || place(a, b);
}

const isForLarge = (engine: EngineType) => engine === 'vllm' || engine === 'sglang' || engine === 'vllmOmni';
const isComfortable = ({ ratio }: Considered) => ratio !== null && ratio <= COMFORTABLE_RATIO;
