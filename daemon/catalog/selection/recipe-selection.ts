import type { EngineType, Recipe } from '../../contract/catalog/catalog.ts';
import { type ComputeOffer, isDeployable } from '../compute/compute-offer.ts';
import { byId } from '../index/by-id.ts';
import type { CatalogEntry, ModelFacts } from '../index/catalog-entry.ts';
import { closestMiss, withAccount } from './closest-miss.ts';
import { contextThatFits, memoryNeed, needBytes } from './memory-estimate.ts';
import { better, placeOrder, recipeOrder } from './recipe-comparators.ts';
import type { Chosen, Considered, NoRecipe, NothingFits, Reason, SelectionPolicy, WantedRecipe } from './selection.ts';

/** Where this machine can do it, it does. */
export const defaultPolicy: SelectionPolicy = { prefersLlamacpp: true, defaultRegion: 'this-machine' };

/**
 * Chooses how a model is served and where: for each wanted recipe its best place, then the best of these. Both
 * are gone through by their ids, of which the first wins what ranks the same, so no order of the inputs changes the
 * answer; and what fits follows from needs and capacities, so more memory never takes the answer away. No text is made
 * here: reasons are codes.
 */
export function selectRecipe(
  entry: CatalogEntry,
  wanted: WantedRecipe,
  offers: readonly ComputeOffer[],
  policy: SelectionPolicy,
): Chosen | NoRecipe | NothingFits {
  const isWanted = matching(wanted, entry.item.recipes);
  if (!entry.item.recipes.some(isWanted)) return { outcome: 'no-recipe', wanted };
  const recipes = entry.item.recipes.toSorted((a, b) => byId(a.publicId, b.publicId));
  const places = inOrder(offers);
  const order = recipeOrder(entry, policy);
  const considered: Considered[] = [];
  let best: Considered | null = null;
  for (const recipe of recipes) {
    if (isWanted(recipe)) best = better(best, bestPlace(entry.facts, recipe, places, policy, considered), order);
    else for (const offer of places) considered.push(row(recipe, offer, null, 'not-wanted'));
  }
  return conclude(entry.facts, best, considered, policy);
}

/** Chooses where that recipe is served, whatever others there are: the place that `selectRecipe` takes it to. */
export function selectOffer(
  entry: CatalogEntry,
  recipe: Recipe,
  offers: readonly ComputeOffer[],
  policy: SelectionPolicy,
): Chosen | NothingFits {
  const considered: Considered[] = [];
  const best = bestPlace(entry.facts, recipe, inOrder(offers), policy, considered);
  return conclude(entry.facts, best, considered, policy);
}

const inOrder = (offers: readonly ComputeOffer[]) => offers.toSorted((a, b) => byId(a.id, b.id));

/** A file is wanted by its path, and by its bare name where no path is that. */
function matching({ accelerator, ggufFile }: WantedRecipe, recipes: readonly Recipe[]): (recipe: Recipe) => boolean {
  const isPath = recipes.some((recipe) => recipe.ggufFile === ggufFile);
  const isFile = ({ ggufFile: path }: Recipe) =>
    ggufFile === undefined || path === ggufFile || (!isPath && path?.split('/').at(-1) === ggufFile);
  return (recipe) => (accelerator === undefined || recipe.accelerator === accelerator) && isFile(recipe);
}

/** @param considered is given a row for each place */
function bestPlace(
  facts: ModelFacts,
  recipe: Recipe,
  places: readonly ComputeOffer[],
  policy: SelectionPolicy,
  considered: Considered[],
): Considered | null {
  const memory = memoryNeed(facts, recipe);
  const order = placeOrder(policy);
  let best: Considered | null = null;
  for (const offer of places) {
    const need = memory && needBytes(memory, offer.numAccelerators);
    const one = row(recipe, offer, need, reasonFor(facts, recipe, offer, need));
    considered.push(one);
    if (one.reason === 'fits') best = better(best, one, order);
  }
  return best;
}

function reasonFor({ arch }: ModelFacts, recipe: Recipe, offer: ComputeOffer, need: number | null): Reason {
  const { maxAccelerators, usedAccelerators } = offer.quota;
  if (offer.accelerator !== recipe.accelerator) return 'other-accelerator';
  if (!isDeployable(offer)) return offer.status === 'deprecated' ? 'deprecated' : 'not-available';
  if (offer.engines !== null && !offer.engines.includes(recipe.engineType)) return 'engine-unavailable';
  if (need === null) return 'weights-unknown';
  if (need > offer.capacityBytes) return 'too-small';
  if (isSplitByHeads(recipe.engineType) && arch?.heads !== undefined && arch.heads % offer.numAccelerators !== 0)
    return 'heads-indivisible';
  if (!offer.hasProvider) return 'no-account';
  if (maxAccelerators - usedAccelerators < offer.numAccelerators) return 'quota-used-up';
  return 'fits';
}

const row = (recipe: Recipe, offer: ComputeOffer, need: number | null, reason: Reason): Considered => ({
  recipe,
  offer,
  needBytes: need,
  capacityBytes: offer.capacityBytes,
  ratio: need === null ? null : need / offer.capacityBytes,
  reason,
});

function conclude(
  facts: ModelFacts,
  best: Considered | null,
  considered: readonly Considered[],
  policy: SelectionPolicy,
): Chosen | NothingFits {
  const need = best && memoryNeed(facts, best.recipe);
  if (best === null || best.needBytes === null || need === null) {
    const elsewhere = withAccount(considered, placeOrder(policy));
    return { outcome: 'nothing-fits', closestMiss: closestMiss(considered), withAccount: elsewhere, considered };
  }
  const { recipe, offer } = best;
  return {
    outcome: 'chosen',
    recipe,
    offer,
    needBytes: best.needBytes,
    ctxSize: recipe.engineType === 'llamacpp' ? contextThatFits(facts, need, offer.capacityBytes) : null,
    tensorParallelSize: isToldItsSize(recipe.engineType) ? offer.numAccelerators : null,
    considered,
  };
}

/** These share a model's attention heads evenly; Neuron's compiler pads them, the others go by layer or have but one. */
const isSplitByHeads = (engine: EngineType) => isToldItsSize(engine) || engine === 'vllmOmni';
const isToldItsSize = (engine: EngineType) => engine === 'vllm' || engine === 'sglang';
