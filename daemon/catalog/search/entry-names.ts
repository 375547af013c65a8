import type { Recipe } from '../../contract/catalog/catalog.ts';
import { inBatches } from './batches.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import { lowerCase } from './search-texts.ts';

export interface FoundRecipe {
  readonly entry: CatalogEntry;
  readonly recipe: Recipe;
}

/** Entries and recipes by their names. */
export class EntryNames {
  readonly #byId = new Map<string, CatalogEntry>();
  /** By lower-case id; null: several entries have it. */
  readonly #byLowerId = new Map<string, CatalogEntry | null>();
  readonly #byPublicId = new Map<string, CatalogEntry>();

  private constructor() {}

  static async build(entries: readonly CatalogEntry[]): Promise<EntryNames> {
    const names = new EntryNames();
    await inBatches(entries, (entry) => {
      const lowerId = lowerCase(entry.item.repoId);
      names.#byId.set(entry.item.repoId, entry);
      names.#byLowerId.set(lowerId, names.#byLowerId.has(lowerId) ? null : entry);
      for (const { publicId } of entry.item.recipes) names.#byPublicId.set(publicId, entry);
    });
    return names;
  }

  /** Finds an entry by its exact `repoId`, else ignoring case; null: no match, or several. */
  find(author: string, model: string): CatalogEntry | null {
    const repoId = `${author}/${model}`;
    return this.#byId.get(repoId) ?? this.#byLowerId.get(lowerCase(repoId)) ?? null;
  }

  findRecipe(publicId: string): FoundRecipe | null {
    const entry = this.#byPublicId.get(publicId);
    const recipe = entry?.item.recipes.find((each) => each.publicId === publicId);
    return entry && recipe ? { entry, recipe } : null;
  }
}
