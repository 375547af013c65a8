import type { CatalogItem } from '../../contract/catalog/catalog.ts';
import type { ConsideredRecipe, Fit, OfferInfo } from '../../contract/catalog/models.ts';
import { type ComputeOffer, LOCAL_VENDOR } from '../compute/compute-offer.ts';
import { byNearness, canInstall, closestMiss } from './closest-miss.ts';
import { COMFORTABLE_RATIO, comparePlaces } from './recipe-comparators.ts';
import type { Considered, Selection } from './selection.ts';
import { fitSentence, offerLabel, reasonSentence } from './selection-reasons.ts';

/** An offer for display. */
const offerInfo = (offer: ComputeOffer): OfferInfo => ({
  id: offer.id,
  label: offerLabel(offer),
  provider: { vendor: offer.vendor, region: offer.region },
  accelerator: offer.accelerator,
  instanceType: offer.instanceType,
  instanceSize: offer.instanceSize,
  pricePerHour: offer.pricePerHour,
});

/**
 * Whether and where the model fits. If it does not, the sizes are those of the closest miss.
 * @param variant the name of a variant of the model that fits where it is too large; null: none is known
 */
export function fitOf(selection: Selection, variant: string | null = null): Fit {
  switch (selection.outcome) {
    case 'chosen': {
      const { recipe, offer, needBytes, capacityBytes, place, layers } = selection;
      return {
        ...{ fits: true, tight: isTight(needBytes, capacityBytes), lacksRuntime: false, canInstall: false },
        ...{ publicId: recipe.publicId, offer: offerInfo(offer), needBytes, capacityBytes, place, layers },
        sentence: fitSentence(selection),
      };
    }
    case 'nothing-fits': {
      const miss = selection.closestMiss ?? selection.withAccount;
      return {
        ...noFit,
        lacksRuntime: miss !== null && isRuntimeMissing(miss),
        canInstall: miss !== null && canInstall(miss),
        needBytes: miss?.needBytes ?? null,
        capacityBytes: miss?.capacityBytes ?? null,
        sentence: miss ? reasonSentence(miss, variant) : 'There is no compute to run it on.',
      };
    }
    case 'no-recipe':
      return { ...noFit, needBytes: null, capacityBytes: null, sentence: 'The catalog has no recipe for it.' };
  }
}

const noFit = {
  ...{ fits: false, tight: false, lacksRuntime: false, canInstall: false },
  ...{ publicId: null, offer: null, place: null, layers: null },
} as const;

const isTight = (needBytes: number, capacityBytes: number) => needBytes > COMFORTABLE_RATIO * capacityBytes;

const isRuntimeMissing = ({ offer, reason }: Considered) =>
  offer.vendor === LOCAL_VENDOR && (reason === 'program-missing' || reason === 'engine-unavailable');

/** A model's recipes in catalog order, each with every offer, the nearest to fitting first. */
export function consideredRecipes(item: CatalogItem, selection: Selection): ConsideredRecipe[] {
  if (selection.outcome === 'no-recipe') return [];
  const chosen = selection.outcome === 'chosen' ? selection.recipe : null;
  const compare = (a: Considered, b: Considered) =>
    a.reason === 'fits' && b.reason === 'fits' ? comparePlaces(a, b) : byNearness(a, b) || comparePlaces(a, b);
  const byRecipe = Map.groupBy(selection.considered, ({ recipe }) => recipe.publicId);
  return item.recipes.map((recipe) => {
    const rows = (byRecipe.get(recipe.publicId) ?? []).sort(compare);
    const [first] = rows;
    const fits = first?.reason === 'fits';
    const shown = fits ? first : (closestMiss(rows) ?? first);
    return {
      recipe,
      isChosen: recipe.publicId === chosen?.publicId,
      fits,
      tight: fits && first.needBytes !== null && isTight(first.needBytes, first.capacityBytes),
      lacksRuntime: !fits && shown !== undefined && isRuntimeMissing(shown),
      canInstall: !fits && shown !== undefined && canInstall(shown),
      needBytes: shown?.needBytes ?? null,
      offer: fits ? offerInfo(first.offer) : null,
      capacityBytes: shown?.capacityBytes ?? null,
      place: shown?.place ?? null,
      layers: shown?.layers ?? null,
      reason: shown ? reasonSentence(shown, chosen?.ggufFile) : 'There is no compute to run it on.',
      considered: rows.map((one) => ({
        offer: offerInfo(one.offer),
        fits: one.reason === 'fits',
        capacityBytes: one.capacityBytes,
        place: one.place,
        layers: one.layers,
        reason: reasonSentence(one),
      })),
    };
  });
}
