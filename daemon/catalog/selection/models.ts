import type { Recipe } from '../../contract/catalog/catalog.ts';
import type {
  ConsideredRecipe,
  Fit,
  MeasuredSpeed,
  ModelDetail,
  ModelPage,
  ModelSummary,
} from '../../contract/catalog/models.ts';
import type { Catalog, PageQuery } from '../catalog.ts';
import type { CatalogEntry } from '../catalog-entry.ts';
import { type Fitting, noneFits, smallestBytes } from '../catalog-search.ts';
import type { ComputeOffer } from '../compute/compute-offer.ts';
import { CatalogItemNotFound } from '../errors.ts';
import { inBatches } from '../in-batches.ts';
import type { ChosenCatalog } from '../remote/chosen-catalog.ts';
import { bestRank, type MeasuredSpeeds } from './best-order.ts';
import { fittingVariant } from './fitting-variant.ts';
import type { MeasuredMemory } from './measured-memory.ts';
import { consideredRecipes, fitOf } from './model-fit.ts';
import { selectRecipe } from './recipe-selection.ts';
import type { Selection } from './selection.ts';

export interface ModelsDeps {
  readonly catalog: Pick<ChosenCatalog, 'kind' | 'status' | 'load'>;
  /** The same array while nothing has changed. */
  readonly offers: () => Promise<readonly ComputeOffer[]>;
  /** See `offers`. */
  readonly measured: () => MeasuredMemory;
  /** See `offers`. */
  readonly speeds: () => MeasuredSpeeds;
  readonly suggestedName: (model: string) => Promise<string>;
}

/** A catalog with the offers to select from. For a remote catalog, the remote service selects the compute. */
interface Snapshot {
  readonly catalog: Catalog;
  readonly isRemote: boolean;
  readonly offers: readonly ComputeOffer[];
  readonly measured: MeasuredMemory;
  readonly speeds: MeasuredSpeeds;
}

/** Other offers and other measurements make other fits. */
type Fitted = Pick<Snapshot, 'offers' | 'measured' | 'speeds'> & { readonly entries: Promise<Fitting> };

/** The catalog for people: each model with the compute it fits, or the reason why it fits none. */
export class Models {
  readonly #deps: ModelsDeps;
  /** The fits by catalog; computing them takes a while for a large one. */
  readonly #fitted = new WeakMap<Catalog, Fitted>();

  constructor(deps: ModelsDeps) {
    this.#deps = deps;
  }

  /** @throws CatalogUnavailable */
  async list(query: PageQuery): Promise<ModelPage> {
    const snapshot = await this.#snapshot();
    const fitting = this.#fitting(snapshot);
    const needsFits = query.fits === true || query.fitsCard === true || query.sort === 'best';
    const { entries, ...page } = snapshot.catalog.page(query, needsFits ? await fitting : noneFits);
    return { models: entries.map((entry) => summaryOf(entry, snapshot)), ...page, source: this.#deps.catalog.status };
  }

  /** @throws CatalogItemNotFound, CatalogUnavailable */
  async detail(author: string, model: string): Promise<ModelDetail> {
    const snapshot = await this.#snapshot();
    const entry = snapshot.catalog.find(author, model);
    if (!entry) throw new CatalogItemNotFound(`${author}/${model}`);
    const { item, facts } = entry;
    const known = {
      item,
      parameterCount: facts.parameterCount ?? null,
      contextLength: facts.contextLength ?? null,
      suggestedName: await this.#deps.suggestedName(item.modelName),
    };
    if (snapshot.isRemote) return { ...known, fit: chosenByService, recipes: item.recipes.map(placedByService) };
    const select = (each: CatalogEntry) => selectRecipe(each, {}, snapshot.offers, snapshot.measured);
    const selection = select(entry);
    const variant = isTooLarge(selection)
      ? fittingVariant(entry, snapshot.catalog.entries, (each) => select(each).outcome === 'chosen')
      : null;
    const recipes = consideredRecipes(item, selection).map((each) => ({
      ...each,
      ...speedOf(entry, each.recipe.publicId, snapshot),
    }));
    const fit = withSpeed(entry, fitOf(selection, variant?.item.modelName), snapshot);
    return { ...known, fit, recipes };
  }

  async #snapshot(): Promise<Snapshot> {
    const offers = await this.#deps.offers();
    const { catalog } = this.#deps;
    const { kind } = catalog; // read before the await: another catalog may be chosen meanwhile
    const loaded = await catalog.load();
    return {
      catalog: loaded,
      isRemote: kind === 'remote',
      offers,
      measured: this.#deps.measured(),
      speeds: this.#deps.speeds(),
    };
  }

  /** The entries that fit, computed ahead of the query that asks for them. */
  #fitting(snapshot: Snapshot): Promise<Fitting> {
    const { catalog, offers, measured, speeds } = snapshot;
    const known = this.#fitted.get(catalog);
    if (known?.offers === offers && known.measured === measured && known.speeds === speeds) return known.entries;
    const found = {
      runnable: new Set<CatalogEntry>(),
      onCard: new Set<CatalogEntry>(),
      ranks: new Map<CatalogEntry, number>(),
    };
    const entries = inBatches(catalog.entries, (entry) => {
      const selection = selectionFor(entry, snapshot);
      const fit = selection === null ? chosenByService : withSpeed(entry, fitOf(selection), snapshot);
      if (runs(fit)) found.runnable.add(entry);
      found.ranks.set(entry, bestRank(fit, entry.facts.parameterCount ?? null));
      if (selection !== null && fitsCard(selection)) found.onCard.add(entry);
    }).then(() => found);
    this.#fitted.set(catalog, { offers, measured, speeds, entries });
    entries.catch(() => this.#fitted.delete(catalog));
    return entries;
  }
}

/** Whether it fits, at once or after the install of a program. */
const runs = ({ fits, canInstall }: Fit) => fits || canInstall;

/** Whether only memory is missing. */
const isTooLarge = (selection: Selection) =>
  selection.outcome === 'nothing-fits' && selection.closestMiss?.reason === 'too-small';

/** Whether one of its recipes, perhaps not the chosen one, would run wholly on the graphics card of this machine. */
const fitsCard = (selection: Selection) =>
  selection.outcome === 'chosen' && selection.considered.some(({ place }) => place === 'card');

function summaryOf(entry: CatalogEntry, snapshot: Snapshot): ModelSummary {
  return {
    ...entry.item,
    smallestBytes: smallestBytes(entry),
    parameterCount: entry.facts.parameterCount ?? null,
    fit: fitFor(entry, snapshot),
  };
}

function fitFor(entry: CatalogEntry, snapshot: Snapshot): Fit {
  const selection = selectionFor(entry, snapshot);
  return selection === null ? chosenByService : withSpeed(entry, fitOf(selection), snapshot);
}

const withSpeed = (entry: CatalogEntry, fit: Fit, snapshot: Snapshot): Fit => ({
  ...fit,
  ...speedOf(entry, fit.publicId, snapshot),
});

/** The speed of a recipe as measured here; nothing where it was not. */
function speedOf(
  { item }: CatalogEntry,
  publicId: string | null,
  { speeds }: Pick<Snapshot, 'speeds'>,
): { readonly speed?: MeasuredSpeed } {
  const recipe = item.recipes.find((each) => each.publicId === publicId);
  const speed = recipe && speeds.of(item.repoId, recipe);
  return speed ? { speed } : {};
}

/** @returns null: the service of a remote catalog selects */
function selectionFor(entry: CatalogEntry, { isRemote, offers, measured }: Snapshot): Selection | null {
  return isRemote ? null : selectRecipe(entry, {}, offers, measured);
}

const unknown = {
  tight: false,
  lacksRuntime: false,
  canInstall: false,
  offer: null,
  needBytes: null,
  capacityBytes: null,
  place: null,
  layers: null,
};

const placedByService = (recipe: Recipe): ConsideredRecipe => ({
  ...unknown,
  recipe,
  isChosen: false,
  fits: true,
  considered: [],
  reason: 'The catalog service chooses its compute.',
});

const chosenByService: Fit = {
  ...unknown,
  fits: true,
  publicId: null,
  sentence: 'The catalog service chooses the recipe and the compute.',
};
