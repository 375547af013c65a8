import { createHash } from 'node:crypto';
import type { ModelFacets } from '../contract/catalog/models.ts';
import type { Logger } from '../shared/logger.ts';
import { OmittedItems } from './file/omitted.ts';
import { inBatches } from './search/batches.ts';
import type { CatalogEntry } from './search/catalog-entry.ts';
import { type CatalogFilter, CatalogIndex } from './search/catalog-filter.ts';
import { EntryNames, type FoundRecipe } from './search/entry-names.ts';
import { survey } from './search/facets.ts';
import { type SortOrder, sortedPositions } from './search/sort-orders.ts';
import { ItemsAsJson, type ListReply } from './serialized-list.ts';

/** A query for the first `limit` matching entries. */
export interface ListQuery extends CatalogFilter {
  readonly limit?: number | undefined;
}

export interface PageQuery extends CatalogFilter {
  readonly sort: SortOrder;
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

export interface CatalogPage {
  readonly entries: readonly CatalogEntry[];
  /** The number of matches on all pages. */
  readonly matches: number;
  readonly page: number;
  readonly pages: number;
  readonly facets: ModelFacets;
}

interface Parts {
  readonly entries: readonly CatalogEntry[];
  readonly names: EntryNames;
  readonly index: CatalogIndex;
  readonly json: ItemsAsJson;
  readonly sortings: Map<SortOrder, Promise<Uint32Array>>;
}

/** An immutable list of deployable models, newest first, then by `repoId`. */
export class Catalog {
  readonly #parts: Parts;
  /** By position, 1 for an entry known to fit. */
  readonly #fitting: Uint8Array;

  private constructor(parts: Parts, fitting: Uint8Array) {
    this.#parts = parts;
    this.#fitting = fitting;
  }

  /** @param entries sorted and without duplicates; see `buildCatalog` */
  static async of(entries: readonly CatalogEntry[]): Promise<Catalog> {
    const names = await EntryNames.build(entries);
    const index = await CatalogIndex.build(entries);
    const json = await ItemsAsJson.build(entries);
    return new Catalog({ entries, names, index, json, sortings: new Map() }, new Uint8Array(entries.length));
  }

  get size(): number {
    return this.#parts.entries.length;
  }

  /** All entries, in catalog order. */
  get entries(): readonly CatalogEntry[] {
    return this.#parts.entries;
  }

  async list(query: ListQuery): Promise<CatalogEntry[]> {
    return Array.from(await this.#positions(query), (position) => this.#entry(position));
  }

  /** The `repoId` of every model, in catalog order. */
  async repositories(): Promise<string[]> {
    const repositories: string[] = [];
    await inBatches(this.#parts.entries, ({ item }) => void repositories.push(item.repoId));
    return repositories;
  }

  /** A text that differs whenever the result of a query differs. */
  listVersion(query: ListQuery): string {
    const asked = JSON.stringify([
      this.#parts.json.digest,
      Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ]);
    return createHash('sha256').update(asked).digest('base64url');
  }

  /** The result of `list` as a serialized body. */
  async listReply(query: ListQuery): Promise<ListReply> {
    return this.#parts.json.list(await this.#positions(query));
  }

  /** One page of matches, with the facets' counts. A page after the last is empty. */
  async page({ sort, page, limit, ...filter }: PageQuery): Promise<CatalogPage> {
    const sorted = await this.#sorted(sort);
    const { matching, matches, facets } = await survey(this.#parts.index, filter, this.#fitting);
    const entries: CatalogEntry[] = [];
    let toSkip = (page - 1) * limit;
    for (const position of sorted) {
      if (entries.length === limit) break;
      if (matching[position] === 1 && --toSkip < 0) entries.push(this.#entry(position));
    }
    return { entries, matches, page, pages: Math.ceil(matches / limit), facets };
  }

  /** See `EntryNames.find`. */
  find(author: string, model: string): CatalogEntry | null {
    return this.#parts.names.find(author, model);
  }

  findRecipe(publicId: string): FoundRecipe | null {
    return this.#parts.names.findRecipe(publicId);
  }

  /** Returns this catalog with its fits computed; until then no entry is known to fit. */
  async withFits(fits: (entry: CatalogEntry) => boolean): Promise<Catalog> {
    const fitting = new Uint8Array(this.size);
    await inBatches(this.entries, (entry, position) => {
      fitting[position] = fits(entry) ? 1 : 0;
    });
    return new Catalog(this.#parts, fitting);
  }

  async #positions({ limit = this.size, ...filter }: ListQuery): Promise<Uint32Array> {
    const found = new Uint32Array(Math.min(limit, this.size));
    let count = 0;
    await this.#parts.index.walk(filter, { fitting: this.#fitting, nearMisses: false }, (position) => {
      found[count++] = position;
      return count < found.length;
    });
    return found.subarray(0, count);
  }

  #entry(position: number): CatalogEntry {
    return this.#parts.entries[position] as CatalogEntry;
  }

  #sorted(sortOrder: SortOrder): Promise<Uint32Array> {
    const { sortings, entries } = this.#parts;
    const known = sortings.get(sortOrder);
    if (known) return known;
    const sorting = sortedPositions(entries, sortOrder);
    sortings.set(sortOrder, sorting);
    return sorting;
  }
}

/** Sorts entries. A later entry with a known `repoId`, or with a recipe of a known `publicId`, is omitted and logged. */
export async function buildCatalog(entries: readonly CatalogEntry[], log: Logger): Promise<Catalog> {
  const distinct = await withoutDuplicates(entries, log);
  const positions = await sortedPositions(distinct, 'newest');
  return Catalog.of(Array.from(positions, (position) => distinct[position] as CatalogEntry));
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
