import type { Recipe } from '../../contract/catalog/catalog.ts';
import type { CatalogEntry, ModelFacts } from '../catalog-entry.ts';
import { type ComputeOffer, LOCAL_VENDOR } from '../compute/compute-offer.ts';
import { type MemoryNeed, memoryNeed, needBytes, weightBytes } from './memory-estimate.ts';

const MiB = 1024 ** 2;
/** Added to what was measured: the next request may be a longer one. */
const MARGIN = 0.1;
const MIN_MARGIN_BYTES = 256 * MiB;

/** The most memory that replicas of a recipe have used on this machine. */
export interface MemoryMeasurement {
  readonly bytes: number;
  /** Tokens; null: the engine chose. */
  readonly contextTokens: number | null;
  /** Whether they had answered requests: before that, they may use less than they need. */
  readonly isProven: boolean;
}

/** The measurements of this machine; another object once they say something else. */
export interface MeasuredMemory {
  /** Of replicas with the settings that a deploy from the catalog has. */
  of(repoId: string, recipe: Recipe): readonly MemoryMeasurement[];
}

export const noMeasurements: MeasuredMemory = { of: () => [] };

/**
 * Corrects the estimate of a recipe by measurements. One above the estimate raises it by the difference at once. Else a
 * proven one lowers it, for its context and shorter ones, to what was used and a tenth more, at least 256 MiB more, and
 * never below the weights. Beyond its context the estimate for each token is added.
 *
 * Only for engines whose memory follows from the model and the context: the others fill with their cache what they are
 * given.
 */
export function correctedNeed(
  need: MemoryNeed,
  facts: ModelFacts,
  recipe: Recipe,
  measurements: readonly MemoryMeasurement[],
): MemoryNeed {
  const uses = measurements.flatMap((measured) => {
    const tokens = tokensOf(measured, recipe, need);
    return tokens === null ? [] : [{ ...measured, tokens }];
  });
  const excessBytes = Math.max(0, ...uses.map(({ bytes, tokens }) => bytes - needBytes(need, 1, tokens)));
  if (excessBytes > 0) return { ...need, fixedBytes: need.fixedBytes + excessBytes };
  const leastBytes = weightBytes(facts, recipe) ?? 0;
  const known = uses
    .filter(({ isProven }) => isProven)
    .map(({ bytes, tokens }) => ({ tokens, bytes: Math.max(leastBytes, withMargin(bytes)) }));
  return known.length === 0 ? need : { ...need, known };
}

/** The tokens of a measured context; null: it says nothing of what is needed. */
function tokensOf({ contextTokens }: MemoryMeasurement, { engineType }: Recipe, need: MemoryNeed): number | null {
  switch (engineType) {
    case 'llamacpp':
      return contextTokens;
    case 'tei':
      return need.minTokens; // it has no cache
    default:
      return null;
  }
}

const withMargin = (bytes: number) => bytes + Math.max(MIN_MARGIN_BYTES, MARGIN * bytes);

/** The need of a recipe on an offer; null: the size of its weights is unknown. */
export type NeedOn = (offer: ComputeOffer) => MemoryNeed | null;

/** The needs of a model's recipes: on this machine as corrected by what was measured here, elsewhere as estimated. */
export function recipeNeeds({ item, facts }: CatalogEntry, measured: MeasuredMemory): (recipe: Recipe) => NeedOn {
  return (recipe) => {
    const elsewhere = memoryNeed(facts, recipe);
    const measurements = measured.of(item.repoId, recipe);
    if (elsewhere === null || measurements.length === 0) return () => elsewhere;
    const here = correctedNeed(elsewhere, facts, recipe, measurements);
    return ({ vendor }) => (vendor === LOCAL_VENDOR ? here : elsewhere);
  };
}
