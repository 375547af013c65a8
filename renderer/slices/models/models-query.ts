import type { Accelerator, EngineType } from '../../../daemon/contract/catalog/catalog.ts';
import { hrefOf, parseRoute } from '../../navigation/route.ts';
import { pageFrom } from '../base/page-number.ts';

export type ModelSort = 'newest' | 'name' | 'smallest';

/** The catalog's query, stored in the page's address under the API's parameter names. */
export interface ModelQuery {
  readonly search: string;
  readonly task?: string;
  readonly license?: string;
  readonly accelerator?: Accelerator;
  readonly engine?: EngineType;
  readonly author?: string;
  /** Only models with a recipe that fits. */
  readonly fits: boolean;
  readonly sort: ModelSort;
  /** From 1. */
  readonly page: number;
}

/** The facets in display order. */
export const facetNames = ['task', 'accelerator', 'engine', 'license', 'author'] as const;
export type FacetName = (typeof facetNames)[number];

const accelerators: readonly Accelerator[] = ['cpu', 'gpu', 'neuron'];
const engines: readonly EngineType[] = ['custom', 'llamacpp', 'sglang', 'tei', 'vllm', 'vllmNeuron', 'vllmOmni'];
const sorts: readonly ModelSort[] = ['newest', 'name', 'smallest'];

/** Parses the query of an address. Ignores invalid values, since the address is user input. */
export function parseModelQuery(text: string): ModelQuery {
  const params = Object.fromEntries([...new URLSearchParams(text)].map(([key, value]) => [key, value.slice(0, 200)]));
  const accelerator = accelerators.find((each) => each === params['accelerator']);
  const engine = engines.find((each) => each === params['engine']);
  const { task, license, author } = params;
  return {
    search: params['search'] ?? '',
    ...(task && { task }),
    ...(license && { license }),
    ...(accelerator && { accelerator }),
    ...(engine && { engine }),
    ...(author && { author }),
    fits: params['fits'] === 'true',
    sort: sorts.find((each) => each === params['sort']) ?? 'newest',
    page: pageFrom(new URLSearchParams(text)),
  };
}

/** Formats the query for an address; omits defaults. */
export function modelQueryText({ search, fits, sort, page, ...facets }: ModelQuery): string {
  return new URLSearchParams({
    ...(search && { search }),
    ...facets,
    ...(fits && { fits: 'true' }),
    ...(sort !== 'newest' && { sort }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
}

/** The address of a changed query. Starts at the first page unless `change` has one; `undefined` removes a filter. */
export function hrefOfModels(
  query: ModelQuery,
  change: { readonly [K in keyof ModelQuery]?: ModelQuery[K] | undefined } = {},
): string {
  const changed = Object.entries({ ...query, page: 1, ...change }).filter(([, value]) => value !== undefined);
  return hrefOf('models', { query: modelQueryText(Object.fromEntries(changed) as unknown as ModelQuery) });
}

/** The query of the current address, which may be newer than the rendered one. */
export const modelQueryNow = (): ModelQuery => parseModelQuery(parseRoute(window.location.hash).query);

/** Clears the search and all filters; keeps the sort order. */
export const withoutFilters = ({ sort }: ModelQuery): ModelQuery => ({ search: '', fits: false, sort, page: 1 });

/** The facets that the query filters by. */
export const filtersOf = (query: ModelQuery): readonly FacetName[] =>
  facetNames.filter((name) => query[name] !== undefined);
