import type { Recipe } from '../contract/catalog/catalog.ts';
import type {
  CatalogSourceStatus,
  ConsideredRecipe,
  Fit,
  ModelDetail,
  ModelPage,
  ModelSummary,
} from '../contract/catalog/models.ts';
import type { Catalog, PageQuery } from './catalog.ts';
import type { ComputeOffer } from './compute/compute-offer.ts';
import { CatalogItemNotFound } from './errors.ts';
import type { CatalogEntry } from './index/catalog-entry.ts';
import { smallestBytes } from './index/sort-orders.ts';
import { consideredRecipes, fitOf } from './selection/model-fit.ts';
import { defaultPolicy, selectRecipe } from './selection/recipe-selection.ts';

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

/** A catalog, and whether what it lists is weighed here: of a remote one its service alone knows what it runs on. */
interface Seen {
  readonly catalog: Catalog;
  readonly isRemote: boolean;
  readonly offers: readonly ComputeOffer[];
}

/** The catalog as a person looks at it: what would run, where, and why not. */
export class Models {
  readonly #deps: ModelsDeps;
  /** Each catalog with what fits, which takes a while to find out for a large one. */
  readonly #weighed = new WeakMap<Catalog, { readonly weighing: Promise<Catalog>; done: Catalog | null }>();

  constructor(deps: ModelsDeps) {
    this.#deps = deps;
  }

  /** @throws CatalogUnavailable */
  async list(query: ModelsQuery): Promise<ModelPage> {
    const seen = await this.#look();
    const { weighing, done } = this.#weigh(seen);
    const catalog = query.fits ? await weighing : (done ?? seen.catalog);
    const { entries, ...page } = await catalog.page(query);
    return { models: entries.map((entry) => summaryOf(entry, seen)), ...page, source: this.#deps.catalog.status };
  }

  /** @throws CatalogItemNotFound, CatalogUnavailable */
  async detail(author: string, model: string): Promise<ModelDetail> {
    const seen = await this.#look();
    const entry = seen.catalog.find(author, model);
    if (!entry) throw new CatalogItemNotFound(`${author}/${model}`);
    const { item, facts } = entry;
    const known = {
      item,
      parameterCount: facts.parameterCount ?? null,
      contextLength: facts.contextLength ?? null,
      suggestedName: await this.#deps.suggestedName(item.modelName),
    };
    if (seen.isRemote) return { ...known, fit: chosenThere, recipes: item.recipes.map(placedThere) };
    const selection = selectRecipe(entry, {}, seen.offers, defaultPolicy);
    return { ...known, fit: fitOf(selection), recipes: consideredRecipes(item, selection, defaultPolicy) };
  }

  async #look(): Promise<Seen> {
    const offers = await this.#deps.offers();
    const { catalog } = this.#deps;
    const { kind } = catalog; // another catalog may be chosen while this one is loaded
    return { catalog: await catalog.load(), isRemote: kind === 'remote', offers };
  }

  #weigh(seen: Seen) {
    const known = this.#weighed.get(seen.catalog);
    if (known) return known;
    const weighing = seen.catalog.withFits((entry) => fitFor(entry, seen).fits);
    const weighed: { readonly weighing: Promise<Catalog>; done: Catalog | null } = { weighing, done: null };
    this.#weighed.set(seen.catalog, weighed);
    weighing.then(
      (done) => {
        weighed.done = done;
      },
      () => this.#weighed.delete(seen.catalog), // whoever waits for it is told
    );
    return weighed;
  }
}

function summaryOf(entry: CatalogEntry, seen: Seen): ModelSummary {
  return {
    ...entry.item,
    smallestBytes: smallestBytes(entry),
    parameterCount: entry.facts.parameterCount ?? null,
    fit: fitFor(entry, seen),
  };
}

function fitFor(entry: CatalogEntry, { isRemote, offers }: Seen): Fit {
  return isRemote ? chosenThere : fitOf(selectRecipe(entry, {}, offers, defaultPolicy));
}

function placedThere(recipe: Recipe): ConsideredRecipe {
  const unknown = { offer: null, needBytes: null, capacityBytes: null, considered: [] };
  return { recipe, isChosen: false, fits: true, ...unknown, reason: 'The catalog service finds the compute for it.' };
}

const chosenThere: Fit = {
  fits: true,
  publicId: null,
  offer: null,
  needBytes: null,
  capacityBytes: null,
  sentence: 'The catalog service chooses the recipe and the compute.',
};
