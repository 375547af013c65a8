import type { StoreSort } from '../../../daemon/contract/apps/store.ts';
import { hrefOf } from '../../navigation/route.ts';
import { pageFrom } from '../base/page-number.ts';

/** The query of Discover, stored in the page's address under the API's parameter names. */
export interface StoreQuery {
  readonly search: string;
  readonly sort: StoreSort;
  /** From 1. */
  readonly page: number;
}

/** The compiler asks for all. */
const sorts: Readonly<Record<StoreSort, true>> = { popular: true, recent: true, updated: true };

/** Parses the query of an address. Ignores invalid values, since the address is user input. */
export function parseStoreQuery(text: string): StoreQuery {
  const params = new URLSearchParams(text);
  const sort = params.get('sort') ?? '';
  return {
    search: (params.get('search') ?? '').slice(0, 200),
    sort: Object.hasOwn(sorts, sort) ? (sort as StoreSort) : 'popular',
    page: pageFrom(params, 10_000),
  };
}

/** Formats the query for an address; omits defaults. */
export function storeQueryText({ search, sort, page }: StoreQuery): string {
  return new URLSearchParams({
    ...(search && { search }),
    ...(sort !== 'popular' && { sort }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
}

/** The address of a changed query. Starts at the first page unless `change` has one. */
export function hrefOfStore(query: StoreQuery, change: Partial<StoreQuery> = {}): string {
  return hrefOf('apps', { tab: 'discover', query: storeQueryText({ ...query, page: 1, ...change }) });
}
