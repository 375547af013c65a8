import type { Recipe } from '../../contract/catalog/catalog.ts';
import type { CatalogEntry } from '../catalog-entry.ts';
import { type ComputeOffer, LOCAL_VENDOR } from '../compute/compute-offer.ts';
import { correctedNeed, type MeasuredMemory } from './measured-memory.ts';
import { type MemoryNeed, memoryNeed } from './memory-estimate.ts';

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
