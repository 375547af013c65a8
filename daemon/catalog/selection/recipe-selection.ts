import type { Accelerator, EngineType, Recipe } from '../../contract/catalog/catalog.ts';
import type { Place } from '../../contract/catalog/models.ts';
import type { CatalogEntry, ModelFacts } from '../catalog-entry.ts';
import { byId, type ComputeOffer, isDeployable, LOCAL_VENDOR } from '../compute/compute-offer.ts';
import { cardFit } from './card-fit.ts';
import { closestMiss, withAccount } from './closest-miss.ts';
import { type MeasuredMemory, type NeedOn, noMeasurements, recipeNeeds } from './measured-memory.ts';
import { contextThatFits, needBytes } from './memory-estimate.ts';
import { better, comparePlaces, recipeComparator } from './recipe-comparators.ts';
import {
  type Chosen,
  type Considered,
  cardFor,
  type NoRecipe,
  type NothingFits,
  programLack,
  type Reason,
  type WantedRecipe,
} from './selection.ts';

/**
 * Chooses a model's recipe and its place: for each wanted recipe the best place, then the best of these. Recipes and
 * offers are compared in the order of their ids, so the order of the inputs never changes the result. Fits depend on
 * needs and capacities alone, so more memory never removes one. Reasons are codes, not texts.
 * @param measured the memory that replicas used on this machine, which corrects what their recipes need there
 */
export function selectRecipe(
  entry: CatalogEntry,
  wanted: WantedRecipe,
  offers: readonly ComputeOffer[],
  measured: MeasuredMemory = noMeasurements,
): Chosen | NoRecipe | NothingFits {
  const { item, facts } = entry;
  const isWanted = matching(wanted, item.recipes);
  if (!item.recipes.some(isWanted)) return { outcome: 'no-recipe', wanted };
  const places = offers.toSorted((a, b) => byId(a.id, b.id));
  const needsOf = recipeNeeds(entry, measured);
  const compare = recipeComparator(entry);
  const considered: Considered[] = [];
  let best: Considered | null = null;
  for (const recipe of item.recipes.toSorted((a, b) => byId(a.publicId, b.publicId))) {
    const rows = isWanted(recipe)
      ? rowsOf(recipe, places, needsOf(recipe), facts)
      : places.map((offer) => unwanted(recipe, offer));
    considered.push(...rows);
    best = better(best, bestPlace(rows), compare);
  }
  const need = best && needsOf(best.recipe)(best.offer);
  if (best === null || best.needBytes === null || need === null) {
    return {
      outcome: 'nothing-fits',
      closestMiss: closestMiss(considered),
      withAccount: withAccount(considered, comparePlaces),
      considered,
    };
  }
  const { recipe, offer, needBytes: leastBytes, capacityBytes, place, layers } = best;
  // Beside a longer context, fewer layers would have room on the card.
  const contextBytes = place === 'card-partly' ? leastBytes : capacityBytes;
  return {
    ...{ outcome: 'chosen', recipe, offer, needBytes: leastBytes, capacityBytes, place, layers },
    ctxSize: recipe.engineType === 'llamacpp' ? contextThatFits(facts, need, contextBytes) : null,
    tensorParallelSize: takesParallelSize(recipe.engineType) ? offer.numAccelerators : null,
    considered,
  };
}

/** Chooses the place of one recipe: the place that `selectRecipe` would choose for it. */
export function selectOffer(
  entry: CatalogEntry,
  recipe: Recipe,
  offers: readonly ComputeOffer[],
  measured?: MeasuredMemory,
): Chosen | NothingFits {
  const alone = { ...entry, item: { ...entry.item, recipes: [recipe] } };
  return selectRecipe(alone, {}, offers, measured) as Chosen | NothingFits; // all its recipes are wanted
}

/** Matches a file by its path, or by its name if no recipe has that path. */
function matching({ accelerator, ggufFile }: WantedRecipe, recipes: readonly Recipe[]): (recipe: Recipe) => boolean {
  const isPath = recipes.some((recipe) => recipe.ggufFile === ggufFile);
  const isFile = ({ ggufFile: path }: Recipe) =>
    ggufFile === undefined || path === ggufFile || (!isPath && path?.split('/').at(-1) === ggufFile);
  return (recipe) => (accelerator === undefined || recipe.accelerator === accelerator) && isFile(recipe);
}

function rowsOf(recipe: Recipe, places: readonly ComputeOffer[], needOn: NeedOn, facts: ModelFacts): Considered[] {
  return places.map((offer) => {
    const memory = needOn(offer);
    const need = memory && needBytes(memory, offer.numAccelerators);
    const card = cardFor(recipe, offer);
    const onCard = card && memory && cardFit(facts, recipe, memory, card);
    const capacityBytes = onCard?.capacityBytes ?? offer.capacityBytes;
    const hasRoom = onCard ? onCard.place !== null : need !== null && need <= capacityBytes;
    const reason = reasonFor(facts, recipe, offer, need, hasRoom);
    const isHere = reason === 'fits' && offer.vendor === LOCAL_VENDOR;
    return {
      recipe,
      offer,
      needBytes: need,
      capacityBytes,
      ratio: need === null ? null : need / capacityBytes,
      reason,
      place: isHere ? (onCard ? onCard.place : placeOf[offer.accelerator]) : null,
      layers: isHere && onCard ? onCard.layers : null,
    };
  });
}

const placeOf: Readonly<Record<Accelerator, Place | null>> = { cpu: 'processor', gpu: 'card', neuron: null };

const bestPlace = (rows: readonly Considered[]) =>
  rows.reduce<Considered | null>(
    (best, one) => (one.reason === 'fits' ? better(best, one, comparePlaces) : best),
    null,
  );

function reasonFor(
  facts: ModelFacts,
  recipe: Recipe,
  offer: ComputeOffer,
  need: number | null,
  hasRoom: boolean,
): Reason {
  const { arch } = facts;
  const { maxAccelerators, usedAccelerators } = offer.quota;
  if (offer.accelerator !== recipe.accelerator) return 'other-accelerator';
  if (!isDeployable(offer)) return offer.status === 'deprecated' ? 'deprecated' : 'not-available';
  if (offer.engines !== null && !offer.engines.includes(recipe.engineType)) return 'engine-unavailable';
  if (need === null) return 'weights-unknown';
  if (!hasRoom) return 'too-small';
  if (isSplitByHeads(recipe.engineType) && arch?.heads !== undefined && arch.heads % offer.numAccelerators !== 0)
    return 'heads-indivisible';
  if (programLack(offer, recipe, facts) !== null) return 'program-missing';
  if (!offer.hasProvider) return 'no-account';
  if (maxAccelerators - usedAccelerators < offer.numAccelerators) return 'quota-used-up';
  return 'fits';
}

const unwanted = (recipe: Recipe, offer: ComputeOffer): Considered => ({
  recipe,
  offer,
  needBytes: null,
  capacityBytes: offer.capacityBytes,
  ratio: null,
  reason: 'not-wanted',
  place: null,
  layers: null,
});

/** These engines divide the attention heads evenly; Neuron's compiler pads them, others split by layer or not at all. */
const isSplitByHeads = (engine: EngineType) => takesParallelSize(engine) || engine === 'vllmOmni';
const takesParallelSize = (engine: EngineType) => engine === 'vllm' || engine === 'sglang';
