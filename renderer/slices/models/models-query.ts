import type { Accelerator, EngineType } from '../../../daemon/contract/catalog/catalog.ts';
import { hrefOf, parseRoute } from '../../navigation/route.ts';

export type ModelSort = 'newest' | 'name' | 'smallest';

/** What of the catalog is to be seen: the address of the page says it, in the words of the interface. */
export interface ModelQuery {
  readonly search: string;
  readonly task?: string;
  readonly license?: string;
  readonly accelerator?: Accelerator;
  readonly engine?: EngineType;
  readonly author?: string;
  /** Only models of which a recipe would run. */
  readonly fits: boolean;
  readonly sort: ModelSort;
  /** From 1. */
  readonly page: number;
}

/** What the models can be narrowed down by, in the order in which it is offered. */
export const facetNames = ['task', 'accelerator', 'engine', 'license', 'author'] as const;
export type FacetName = (typeof facetNames)[number];

const accelerators: readonly Accelerator[] = ['cpu', 'gpu', 'neuron'];
const engines: readonly EngineType[] = ['custom', 'llamacpp', 'sglang', 'tei', 'vllm', 'vllmNeuron', 'vllmOmni'];
const sorts: readonly ModelSort[] = ['newest', 'name', 'smallest'];

/** Reads the part of an address behind its `?`. Anyone may have written it: what makes no sense is left out. */
export function parseModelQuery(text: string): ModelQuery {
  const params = Object.fromEntries([...new URLSearchParams(text)].map(([key, value]) => [key, value.slice(0, 200)]));
  const accelerator = accelerators.find((each) => each === params['accelerator']);
  const engine = engines.find((each) => each === params['engine']);
  const { task, license, author } = params;
  const page = Number(params['page']);
  return {
    search: params['search'] ?? '',
    ...(task && { task }),
    ...(license && { license }),
    ...(accelerator && { accelerator }),
    ...(engine && { engine }),
    ...(author && { author }),
    fits: params['fits'] === 'true',
    sort: sorts.find((each) => each === params['sort']) ?? 'newest',
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
  };
}

/** The same as an address has it; what holds anyway is left out. */
export function modelQueryText({ search, fits, sort, page, ...facets }: ModelQuery): string {
  return new URLSearchParams({
    ...(search && { search }),
    ...facets,
    ...(fits && { fits: 'true' }),
    ...(sort !== 'newest' && { sort }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
}

/** Where a change of the query leads. Unless it says a page, it begins at the first one. */
export function hrefOfModels(
  query: ModelQuery,
  change: { readonly [K in keyof ModelQuery]?: ModelQuery[K] | undefined } = {},
): string {
  const changed = Object.entries({ ...query, page: 1, ...change }).filter(([, value]) => value !== undefined);
  return hrefOf('models', { query: modelQueryText(Object.fromEntries(changed) as unknown as ModelQuery) });
}

/** What the address says now, whatever it was when the page was drawn. */
export const modelQueryNow = (): ModelQuery => parseModelQuery(parseRoute(window.location.hash).query);

/** Nothing is left out, and in the order that is chosen. */
export const withoutFilters = ({ sort }: ModelQuery): ModelQuery => ({ search: '', fits: false, sort, page: 1 });

/** What narrows the list down, other than the words that are searched for. */
export const filtersOf = (query: ModelQuery): readonly FacetName[] =>
  facetNames.filter((name) => query[name] !== undefined);
