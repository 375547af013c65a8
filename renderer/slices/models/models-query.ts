import type { ListModelsQuery, ModelFacets, ModelSort } from '../../../daemon/contract/catalog/models.ts';
import { hrefOf, parseRoute } from '../../navigation/route.ts';
import { pageFrom } from '../base/page-number.ts';

/** The catalog's query, stored in the page's address under the API's parameter names. */
export type ModelQuery = Readonly<Omit<ListModelsQuery, 'limit'>>;

export type FacetName = keyof ModelFacets;

/** The values that an address may have for each facet; null: any. The compiler asks for all. */
const facets: {
  readonly [Name in FacetName]: string extends ModelQuery[Name]
    ? null
    : Readonly<Record<NonNullable<ModelQuery[Name]>, true>>;
} = {
  task: null,
  license: null,
  accelerator: { cpu: true, gpu: true, neuron: true },
  engine: { custom: true, llamacpp: true, sglang: true, tei: true, vllm: true, vllmNeuron: true, vllmOmni: true },
  author: null,
};
const sorts: Readonly<Record<ModelSort, true>> = { best: true, newest: true, name: true, smallest: true };

/** Parses the query of an address. Ignores invalid values, since the address is user input. */
export function parseModelQuery(text: string): ModelQuery {
  const params = new URLSearchParams(text);
  const lastOf = (key: string) => params.getAll(key).at(-1)?.slice(0, 200);
  const sort = lastOf('sort') ?? '';
  const chosen = Object.entries(facets).flatMap(([name, values]) => {
    const value = lastOf(name);
    return value && (values === null || Object.hasOwn(values, value)) ? [[name, value]] : [];
  });
  return {
    search: lastOf('search') ?? '',
    ...Object.fromEntries(chosen),
    fits: params.has('fits') ? lastOf('fits') !== 'false' : !listsAllModels(),
    fitsCard: lastOf('fitsCard') === 'true',
    sort: Object.hasOwn(sorts, sort) ? (sort as ModelSort) : 'best',
    page: pageFrom(params),
  };
}

/** Formats the query for an address; omits defaults, one of which this browser remembers. */
export function modelQueryText({ search, fits, fitsCard, sort, page, ...facets }: ModelQuery): string {
  return new URLSearchParams({
    ...(search && { search }),
    ...Object.fromEntries(Object.entries(facets).filter(([, value]) => value !== undefined)),
    ...(fits === listsAllModels() && { fits: String(fits) }),
    ...(fitsCard && { fitsCard: 'true' }),
    ...(sort !== 'best' && { sort }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
}

/** The address of a changed query. Starts at the first page unless `change` has one; `undefined` removes a filter. */
export const hrefOfModels = (query: ModelQuery, change: Partial<ModelQuery> = {}): string =>
  hrefOf('models', { query: modelQueryText({ ...query, page: 1, ...change }) });

/** The query of the current address, which may be newer than the rendered one. */
export const modelQueryNow = (): ModelQuery => parseModelQuery(parseRoute(window.location.hash).query);

/** Clears the search and all filters; keeps the sort order, and whether models that do not fit are listed. */
export const withoutFilters = ({ sort, fits }: ModelQuery): ModelQuery => ({
  ...{ search: '', fits, fitsCard: false },
  ...{ sort, page: 1 },
});

const ALL_KEY = 'robot-desktop.all-models';

/** Whether this browser lists the models that do not fit, too. */
function listsAllModels(): boolean {
  try {
    return localStorage.getItem(ALL_KEY) === 'true';
  } catch {
    return false; // no storage
  }
}

export function rememberAllModels(all: boolean): void {
  try {
    localStorage.setItem(ALL_KEY, String(all));
  } catch {
    // Without storage, it is as the address says.
  }
}
