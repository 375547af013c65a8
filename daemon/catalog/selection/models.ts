import type { Recipe } from '../../contract/catalog/catalog.ts';
import type {
  CatalogSourceStatus,
  ConsideredRecipe,
  Fit,
  ModelDetail,
  ModelPage,
  ModelSummary,
} from '../../contract/catalog/models.ts';
import type { Catalog, PageQuery } from '../catalog.ts';
import type { CatalogEntry } from '../catalog-entry.ts';
import { smallestBytes } from '../catalog-search.ts';
import type { ComputeOffer } from '../compute/compute-offer.ts';
import { CatalogItemNotFound } from '../errors.ts';
import type { MeasuredMemory } from './measured-memory.ts';
import { consideredRecipes, fitOf } from './model-fit.ts';
import { defaultPolicy, selectRecipe } from './recipe-selection.ts';

export interface ModelsDeps {
  readonly catalog: {
    readonly kind: 'embedded' | 'remote';
    readonly status: CatalogSourceStatus;
    load(): Promise<Catalog>;
  };
  /** The same array while nothing has changed. */
  readonly offers: () => Promise<readonly ComputeOffer[]>;
  /** See `offers`. */
  readonly measured: () => MeasuredMemory;
  readonly suggestedName: (model: string) => Promise<string>;
}

/** A catalog with the offers to select from. For a remote catalog, the remote service selects the compute. */
interface Snapshot {
  readonly catalog: Catalog;
  readonly isRemote: boolean;
  readonly offers: readonly ComputeOffer[];
  readonly measured: MeasuredMemory;
}

interface Fitted {
  /** Other offers and other measurements make other fits. */
  readonly offers: readonly ComputeOffer[];
  readonly measured: MeasuredMemory;
  readonly pending: Promise<Catalog>;
  done: Catalog | null;
}

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
    const { pending, done } = this.#withFits(snapshot);
    const catalog = query.fits ? await pending : (done ?? snapshot.catalog);
    const { entries, ...page } = catalog.page(query);
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
    const selection = selectRecipe(entry, {}, snapshot.offers, defaultPolicy, snapshot.measured);
    return { ...known, fit: fitOf(selection), recipes: consideredRecipes(item, selection, defaultPolicy) };
  }

  async #snapshot(): Promise<Snapshot> {
    const offers = await this.#deps.offers();
    const { catalog } = this.#deps;
    const { kind } = catalog; // read before the await: another catalog may be chosen meanwhile
    const loaded = await catalog.load();
    return { catalog: loaded, isRemote: kind === 'remote', offers, measured: this.#deps.measured() };
  }

  #withFits(snapshot: Snapshot) {
    const { offers, measured } = snapshot;
    const known = this.#fitted.get(snapshot.catalog);
    if (known?.offers === offers && known.measured === measured) return known;
    const pending = snapshot.catalog.withFits((entry) => runsHere(fitFor(entry, snapshot)));
    const fitted: Fitted = { offers, measured, pending, done: null };
    this.#fitted.set(snapshot.catalog, fitted);
    pending.then(
      (done) => {
        fitted.done = done;
      },
      () => this.#fitted.delete(snapshot.catalog), // `list` reports the error
    );
    return fitted;
  }
}

/** Whether it fits, at once or after the install of a program. */
const runsHere = ({ fits, canInstall }: Fit) => fits || canInstall;

function summaryOf(entry: CatalogEntry, snapshot: Snapshot): ModelSummary {
  return {
    ...entry.item,
    smallestBytes: smallestBytes(entry),
    parameterCount: entry.facts.parameterCount ?? null,
    fit: fitFor(entry, snapshot),
  };
}

function fitFor(entry: CatalogEntry, { isRemote, offers, measured }: Snapshot): Fit {
  return isRemote ? chosenByService : fitOf(selectRecipe(entry, {}, offers, defaultPolicy, measured));
}

const unknown = {
  tight: false,
  lacksRuntime: false,
  canInstall: false,
  offer: null,
  needBytes: null,
  capacityBytes: null,
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
