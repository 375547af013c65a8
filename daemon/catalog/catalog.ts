import type { ModelFacets } from '../contract/catalog/models.ts';
import type { Logger } from '../shared/logger.ts';
import { ItemsAsJson, type ListReply } from './catalog-list.ts';
import { LeftOut } from './file/omitted.ts';
import { inSteps } from './index/batches.ts';
import type { CatalogEntry } from './index/catalog-entry.ts';
import { type CatalogFilter, CatalogIndex } from './index/catalog-index.ts';
import { EntryNames, type FoundRecipe } from './index/entry-names.ts';
import { survey } from './index/facets.ts';
import { type CatalogOrder, inOrder } from './index/sort-orders.ts';

/** What a list of entries is asked for: the first so many of those that match. */
export interface ListQuery extends CatalogFilter {
  readonly limit?: number | undefined;
}

export interface PageQuery extends CatalogFilter {
  readonly sort: CatalogOrder;
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

export interface CatalogPage {
  readonly entries: readonly CatalogEntry[];
  /** How many match, over all pages. */
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
  readonly orders: Map<CatalogOrder, Promise<Uint32Array>>;
}

/** The models that can be deployed, as they were at one moment: newest first, then by `repoId`. */
export class Catalog {
  readonly #parts: Parts;
  /** By position, 1 for what is known to fit. */
  readonly #fitting: Uint8Array;

  private constructor(parts: Parts, fitting: Uint8Array) {
    this.#parts = parts;
    this.#fitting = fitting;
  }

  /** @param entries in the order of the catalog, no name twice; see `buildCatalog` */
  static async of(entries: readonly CatalogEntry[]): Promise<Catalog> {
    const names = await EntryNames.build(entries);
    const index = await CatalogIndex.build(entries);
    const json = await ItemsAsJson.build(entries);
    return new Catalog({ entries, names, index, json, orders: new Map() }, new Uint8Array(entries.length));
  }

  get size(): number {
    return this.#parts.entries.length;
  }

  /** All of them, in order. */
  get entries(): readonly CatalogEntry[] {
    return this.#parts.entries;
  }

  async list(query: ListQuery): Promise<CatalogEntry[]> {
    return Array.from(await this.#positions(query), (position) => this.#entry(position));
  }

  /** The repositories of all models, in order. */
  async repositories(): Promise<string[]> {
    const repositories: string[] = [];
    await inSteps(this.#parts.entries, ({ item }) => void repositories.push(item.repoId));
    return repositories;
  }

  /** The same list as the bytes of its answer. */
  async listReply(query: ListQuery): Promise<ListReply> {
    return this.#parts.json.list(await this.#positions(query));
  }

  /** One page of what matches, and how many match with each value of each facet. Beyond the last page there are none. */
  async page({ sort, page, limit, ...filter }: PageQuery): Promise<CatalogPage> {
    const order = await this.#inOrder(sort);
    const { matching, matches, facets } = await survey(this.#parts.index, filter, this.#fitting);
    const entries: CatalogEntry[] = [];
    let toSkip = (page - 1) * limit;
    for (const position of order) {
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

  /** The same catalog, knowing which of its models fit; before that none is known to. */
  async withFits(fits: (entry: CatalogEntry) => boolean): Promise<Catalog> {
    const fitting = new Uint8Array(this.size);
    await inSteps(this.entries, (entry, position) => {
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

  #inOrder(order: CatalogOrder): Promise<Uint32Array> {
    const { orders, entries } = this.#parts;
    const known = orders.get(order);
    if (known) return known;
    const sorting = inOrder(entries, order);
    orders.set(order, sorting);
    return sorting;
  }
}

/** Puts entries in order. Of two with the same `repoId`, or a recipe with the same `publicId`, the later is left out. */
export async function buildCatalog(entries: readonly CatalogEntry[], log: Logger): Promise<Catalog> {
  const distinct = await withoutDuplicates(entries, log);
  const order = await inOrder(distinct, 'newest');
  return Catalog.of(Array.from(order, (position) => distinct[position] as CatalogEntry));
}

async function withoutDuplicates(entries: readonly CatalogEntry[], log: Logger): Promise<CatalogEntry[]> {
  const distinct: CatalogEntry[] = [];
  const repoIds = new Set<string>();
  const publicIds = new Set<string>();
  const leftOut = new LeftOut(log);
  await inSteps(entries, (entry) => {
    const { repoId, recipes } = entry.item;
    const ids = recipes.map(({ publicId }) => publicId);
    const twice = ids.find((id, index) => publicIds.has(id) || ids.indexOf(id) !== index);
    if (repoIds.has(repoId)) return leftOut.add(`model "${repoId}"`, 'there is one of that name before it');
    if (twice !== undefined) return leftOut.add(`model "${repoId}"`, `there is another recipe "${twice}"`);
    repoIds.add(repoId);
    for (const id of ids) publicIds.add(id);
    distinct.push(entry);
  });
  leftOut.end();
  return distinct;
}
