import type { EngineType, Recipe } from '../../contract/catalog/catalog.ts';
import { type ComputeOffer, isDeployable } from '../compute/compute-offer.ts';
import { byId } from '../search/by-id.ts';
import type { CatalogEntry, ModelFacts } from '../search/catalog-entry.ts';
import { closestMiss, withAccount } from './closest-miss.ts';
import { contextThatFits, memoryNeed, needBytes } from './memory-estimate.ts';
import { programLack } from './program-lack.ts';
import { better, placeComparator, recipeComparator } from './recipe-comparators.ts';
import type { Chosen, Considered, NoRecipe, NothingFits, Reason, SelectionPolicy, WantedRecipe } from './selection.ts';

/** Prefers this machine. */
export const defaultPolicy: SelectionPolicy = { prefersLlamacpp: true, defaultRegion: 'this-machine' };

/**
 * Chooses a model's recipe and its place: for each wanted recipe the best place, then the best of these. Recipes and
 * offers are compared in the order of their ids, so the order of the inputs never changes the result. Fits depend on
 * needs and capacities alone, so more memory never removes one. Reasons are codes, not texts.
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
  const places = sortedById(offers);
  const compare = recipeComparator(entry, policy);
  const considered: Considered[] = [];
  let best: Considered | null = null;
  for (const recipe of recipes) {
    if (isWanted(recipe)) best = better(best, bestPlace(entry.facts, recipe, places, policy, considered), compare);
    else for (const offer of places) considered.push(row(recipe, offer, null, 'not-wanted'));
  }
  return conclude(entry.facts, best, considered, policy);
}

/** Chooses the place of one recipe: the place that `selectRecipe` would choose for it. */
export function selectOffer(
  entry: CatalogEntry,
  recipe: Recipe,
  offers: readonly ComputeOffer[],
  policy: SelectionPolicy,
): Chosen | NothingFits {
  const considered: Considered[] = [];
  const best = bestPlace(entry.facts, recipe, sortedById(offers), policy, considered);
  return conclude(entry.facts, best, considered, policy);
}

const sortedById = (offers: readonly ComputeOffer[]) => offers.toSorted((a, b) => byId(a.id, b.id));

/** Matches a file by its path, or by its name if no recipe has that path. */
function matching({ accelerator, ggufFile }: WantedRecipe, recipes: readonly Recipe[]): (recipe: Recipe) => boolean {
  const isPath = recipes.some((recipe) => recipe.ggufFile === ggufFile);
  const isFile = ({ ggufFile: path }: Recipe) =>
    ggufFile === undefined || path === ggufFile || (!isPath && path?.split('/').at(-1) === ggufFile);
  return (recipe) => (accelerator === undefined || recipe.accelerator === accelerator) && isFile(recipe);
}

/** @param considered receives a row for each place */
function bestPlace(
  facts: ModelFacts,
  recipe: Recipe,
  places: readonly ComputeOffer[],
  policy: SelectionPolicy,
  considered: Considered[],
): Considered | null {
  const memory = memoryNeed(facts, recipe);
  const compare = placeComparator(policy);
  let best: Considered | null = null;
  for (const offer of places) {
    const need = memory && needBytes(memory, offer.numAccelerators);
    const one = row(recipe, offer, need, reasonFor(facts, recipe, offer, need));
    considered.push(one);
    if (one.reason === 'fits') best = better(best, one, compare);
  }
  return best;
}

function reasonFor(facts: ModelFacts, recipe: Recipe, offer: ComputeOffer, need: number | null): Reason {
  const { arch } = facts;
  const { maxAccelerators, usedAccelerators } = offer.quota;
  if (offer.accelerator !== recipe.accelerator) return 'other-accelerator';
  if (!isDeployable(offer)) return offer.status === 'deprecated' ? 'deprecated' : 'not-available';
  if (offer.engines !== null && !offer.engines.includes(recipe.engineType)) return 'engine-unavailable';
  if (need === null) return 'weights-unknown';
  if (need > offer.capacityBytes) return 'too-small';
  if (isSplitByHeads(recipe.engineType) && arch?.heads !== undefined && arch.heads % offer.numAccelerators !== 0)
    return 'heads-indivisible';
  if (programLack(offer, recipe, facts) !== null) return 'program-missing';
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
    return {
      outcome: 'nothing-fits',
      closestMiss: closestMiss(considered),
      withAccount: withAccount(considered, placeComparator(policy)),
      considered,
    };
  }
  const { recipe, offer } = best;
  return {
    outcome: 'chosen',
    recipe,
    offer,
    needBytes: best.needBytes,
    ctxSize: recipe.engineType === 'llamacpp' ? contextThatFits(facts, need, offer.capacityBytes) : null,
    tensorParallelSize: takesParallelSize(recipe.engineType) ? offer.numAccelerators : null,
    considered,
  };
}

/** These engines divide the attention heads evenly; Neuron's compiler pads them, others split by layer or not at all. */
const isSplitByHeads = (engine: EngineType) => takesParallelSize(engine) || engine === 'vllmOmni';
const takesParallelSize = (engine: EngineType) => engine === 'vllm' || engine === 'sglang';
