import type { CatalogSourceStatus, Fit, ModelDetail, ModelPage, ModelSummary } from '../contract/models.ts';
import type { Catalog, PageQuery } from './catalog.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import type { ComputeOffer } from './compute-offer.ts';
import { CatalogItemNotFound } from './errors.ts';
import { consideredRecipes, fitOf } from './model-fit.ts';
import { selectRecipe, usualPolicy } from './recipe-selection.ts';

export interface ModelsDeps {
  readonly catalog: {
    readonly kind: 'embedded' | 'remote';
    readonly status: CatalogSourceStatus;
    load(): Promise<Catalog>;
  };
  readonly offers: () => Promise<readonly ComputeOffer[]>;
  readonly suggestedName: (model: string) => Promise<string>;
}

/** What a page asks for: the strings that are empty or left out narrow nothing down. */
export interface ModelsQuery extends PageQuery {
  readonly fits: boolean;
}

/** The catalog as a person looks at it: what would run, where, and why not. */
export class Models {
  readonly #deps: ModelsDeps;
  /** Each catalog with what fits, which takes a while to find out for a large one. */
  readonly #weighed = new WeakMap<Catalog, Promise<Catalog>>();
  readonly #done = new WeakMap<Catalog, Catalog>();

  constructor(deps: ModelsDeps) {
    this.#deps = deps;
  }

  /** @throws CatalogUnavailable */
  async list(query: ModelsQuery): Promise<ModelPage> {
    const { catalog } = this.#deps;
    const loaded = await catalog.load();
    const offers = await this.#deps.offers();
    const weighing = this.#weigh(loaded, offers);
    const seen = query.fits ? await weighing : (this.#done.get(loaded) ?? loaded);
    const { entries, ...page } = await seen.page(query);
    return { models: entries.map((entry) => this.#summary(entry, offers)), ...page, source: catalog.status };
  }

  /** @throws CatalogItemNotFound, CatalogUnavailable */
  async detail(author: string, model: string): Promise<ModelDetail> {
    const { catalog, suggestedName } = this.#deps;
    const entry = (await catalog.load()).find(author, model);
    if (!entry) throw new CatalogItemNotFound(`${author}/${model}`);
    const { item, facts } = entry;
    const selection = selectRecipe(entry, {}, await this.#deps.offers(), usualPolicy);
    const recipes = consideredRecipes(item, selection, usualPolicy);
    const isRemote = catalog.kind === 'remote';
    return {
      item,
      parameterCount: facts.parameterCount ?? null,
      contextLength: facts.contextLength ?? null,
      fit: isRemote ? chosenThere : fitOf(selection),
      recipes: isRemote ? recipes.map((one) => ({ ...one, ...placedThere, isChosen: false, considered: [] })) : recipes,
      suggestedName: await suggestedName(item.modelName),
    };
  }

  #weigh(catalog: Catalog, offers: readonly ComputeOffer[]): Promise<Catalog> {
    const known = this.#weighed.get(catalog);
    if (known) return known;
    const isRemote = this.#deps.catalog.kind === 'remote';
    const weighing = catalog.withFits((entry) => isRemote || this.#fit(entry, offers).fits);
    this.#weighed.set(catalog, weighing);
    void weighing.then((done) => this.#done.set(catalog, done));
    return weighing;
  }

  #summary(entry: CatalogEntry, offers: readonly ComputeOffer[]): ModelSummary {
    const { item, facts } = entry;
    const sizes = Object.values(facts.weightBytes);
    return {
      ...item,
      smallestBytes: sizes.length === 0 ? null : Math.min(...sizes),
      parameterCount: facts.parameterCount ?? null,
      fit: this.#fit(entry, offers),
    };
  }

  #fit(entry: CatalogEntry, offers: readonly ComputeOffer[]): Fit {
    if (this.#deps.catalog.kind === 'remote') return chosenThere;
    return fitOf(selectRecipe(entry, {}, offers, usualPolicy));
  }
}

/** What a remote catalog has to run models on, its service alone knows. */
const placedThere = {
  fits: true,
  offer: null,
  needBytes: null,
  capacityBytes: null,
  reason: 'The catalog service finds the compute for it.',
} as const;

const chosenThere: Fit = {
  fits: true,
  publicId: null,
  offer: null,
  needBytes: null,
  capacityBytes: null,
  sentence: 'The catalog service chooses the recipe and the compute.',
};
