import { createHash } from 'node:crypto';
import type { Recipe } from '../contract/catalog/catalog.ts';
import type { ListModelsQuery, ModelSort } from '../contract/catalog/models.ts';
import type { Logger } from '../shared/logger.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import {
  type CatalogFilter,
  type Fitting,
  lowerCase,
  matcher,
  noneFits,
  prepare,
  type Searchable,
  search,
  sorted,
} from './catalog-search.ts';
import { inBatches } from './in-batches.ts';

/** A query for the first `limit` matching entries. */
export interface ListQuery extends Omit<CatalogFilter, 'fits' | 'fitsCard'> {
  readonly limit?: number | undefined;
}

/** A query for a page, the first is 1. */
export type PageQuery = CatalogFilter & Readonly<Pick<ListModelsQuery, 'sort' | 'page' | 'limit'>>;

interface Parts {
  readonly all: readonly Searchable[];
  /** A digest of the items and their order. */
  readonly digest: string;
  readonly byLowerId: ReadonlyMap<string, readonly CatalogEntry[]>;
  readonly byPublicId: ReadonlyMap<string, { readonly entry: CatalogEntry; readonly recipe: Recipe }>;
}

/** An immutable list of deployable models, newest first, then by `repoId`. */
export class Catalog {
  readonly #parts: Parts;
  readonly #sortings = new Map<ModelSort, readonly Searchable[]>();
  /** All entries, in catalog order. */
  readonly entries: readonly CatalogEntry[];

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.#sortings.set('newest', parts.all);
    this.entries = parts.all.map(({ entry }) => entry);
  }

  /** @param entries without duplicates; see `buildCatalog` */
  static async of(entries: readonly CatalogEntry[]): Promise<Catalog> {
    const all = await prepare(entries);
    const hash = createHash('sha256');
    const byLowerId = new Map<string, CatalogEntry[]>();
    const byPublicId = new Map<string, { entry: CatalogEntry; recipe: Recipe }>();
    await inBatches(all, ({ entry, json }) => {
      hash.update(json);
      const lowerId = lowerCase(entry.item.repoId);
      byLowerId.set(lowerId, [...(byLowerId.get(lowerId) ?? []), entry]);
      for (const recipe of entry.item.recipes) byPublicId.set(recipe.publicId, { entry, recipe });
    });
    return new Catalog({ all, digest: hash.digest('base64url'), byLowerId, byPublicId });
  }

  get size(): number {
    return this.entries.length;
  }

  list(query: ListQuery): CatalogEntry[] {
    return this.#matches(query).map(({ entry }) => entry);
  }

  /** The result of `list` as the body `{"items": […]}`. */
  listBody(query: ListQuery): Buffer {
    const items = this.#matches(query).map(({ json }) => json);
    const last = items.pop()?.subarray(0, -1) ?? Buffer.of();
    return Buffer.concat([Buffer.from('{"items":['), ...items, last, Buffer.from(']}')]);
  }

  /** A text that differs whenever the result of a query differs. */
  listVersion(query: ListQuery): string {
    const asked = JSON.stringify([this.#parts.digest, Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
    return createHash('sha256').update(asked).digest('base64url');
  }

  /**
   * One page of matches, with the number of all, of those that `fits` leaves out, and the facets' counts. A page after the last
   * is empty.
   */
  page({ sort, page, limit, ...filter }: PageQuery, fitting: Fitting) {
    const { matching, hidden, facets } = search(this.#sorted(sort), filter, fitting);
    const rank = ({ entry }: Searchable) => fitting.ranks.get(entry) ?? Number.MAX_SAFE_INTEGER;
    const ordered = sort === 'best' ? matching.toSorted((a, b) => rank(a) - rank(b)) : matching;
    return {
      entries: ordered.slice((page - 1) * limit, page * limit).map(({ entry }) => entry),
      matches: matching.length,
      ...(filter.fits && { hidden }),
      page,
      pages: Math.ceil(matching.length / limit),
      facets,
    };
  }

  /** Finds an entry by its exact `repoId`, else ignoring case; null: no match, or several. */
  find(author: string, model: string): CatalogEntry | null {
    const repoId = `${author}/${model}`;
    const found = this.#parts.byLowerId.get(lowerCase(repoId)) ?? [];
    const exact = found.find(({ item }) => item.repoId === repoId);
    return exact ?? (found.length === 1 ? (found[0] ?? null) : null);
  }

  findRecipe(publicId: string): { readonly entry: CatalogEntry; readonly recipe: Recipe } | null {
    return this.#parts.byPublicId.get(publicId) ?? null;
  }

  #matches({ limit = this.size, ...filter }: ListQuery): Searchable[] {
    return this.#parts.all.filter(matcher(filter, noneFits)).slice(0, limit);
  }

  #sorted(order: ModelSort): readonly Searchable[] {
    const known = this.#sortings.get(order);
    if (known) return known;
    const positions = new Map(this.#parts.all.map((each) => [each.entry, each]));
    const sorting = sorted(this.entries, order).flatMap((entry) => positions.get(entry) ?? []);
    this.#sortings.set(order, sorting);
    return sorting;
  }
}

/** A later entry with a known `repoId`, or with a recipe of a known `publicId`, is omitted and logged. */
export async function buildCatalog(entries: readonly CatalogEntry[], log: Logger): Promise<Catalog> {
  return Catalog.of(await withoutDuplicates(entries, log));
}

async function withoutDuplicates(entries: readonly CatalogEntry[], log: Logger): Promise<CatalogEntry[]> {
  const distinct: CatalogEntry[] = [];
  const repoIds = new Set<string>();
  const publicIds = new Set<string>();
  const omitted = new OmittedItems(log);
  await inBatches(entries, (entry) => {
    const { repoId, recipes } = entry.item;
    const ids = recipes.map(({ publicId }) => publicId);
    const twice = ids.find((id, index) => publicIds.has(id) || ids.indexOf(id) !== index);
    if (repoIds.has(repoId)) return omitted.add(`model "${repoId}"`, 'an earlier model has the same name');
    if (twice !== undefined) return omitted.add(`model "${repoId}"`, `another recipe is named "${twice}"`);
    repoIds.add(repoId);
    for (const id of ids) publicIds.add(id);
    distinct.push(entry);
  });
  omitted.end();
  return distinct;
}

/** Limits the log lines for a file with many invalid items. */
const MAX_LOGGED = 20;

/** Logs the items that a catalog omits, and the reasons. */
export class OmittedItems {
  readonly #log: Logger;
  #count = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(what: string, reason: string): void {
    this.#count += 1;
    if (this.#count <= MAX_LOGGED) this.#log.warn(`catalog: ${what.slice(0, 200)} is omitted: ${reason.slice(0, 500)}`);
  }

  /** Call after the last item: logs the total if some were not logged. */
  end(): void {
    if (this.#count > MAX_LOGGED) this.#log.warn(`catalog: ${this.#count} items are omitted in total`);
  }
}
