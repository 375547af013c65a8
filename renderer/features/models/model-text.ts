import type { ModelSort } from '../../../daemon/contract/catalog/models.ts';
import type { FacetName, ModelQuery } from '../../slices/models/models-query.ts';
import { taskText } from '../deploy/fit-text.ts';
import { displayNames } from '../deploy/recipe-text.ts';

/** In display order. */
export const facetText: Readonly<Record<FacetName, string>> = {
  task: 'Task',
  accelerator: 'Runs on',
  engine: 'Engine',
  license: 'Licence',
  author: 'Author',
};

export const facetNames = Object.keys(facetText) as readonly FacetName[];

/** The facets that the query filters by. */
export const filtersOf = (query: ModelQuery): readonly FacetName[] =>
  facetNames.filter((name) => query[name] !== undefined);

/** The filters by place, each on or off. */
export const fitFilterText = { fits: 'Fits this machine', fitsCard: 'Fits the graphics card' } as const;
export type FitFilter = keyof typeof fitFilterText;

/** Those that are on, beside `fits`, which is on unless somebody wants to see all models. */
export const fitFiltersOf = (query: ModelQuery): readonly FitFilter[] => (query.fitsCard ? ['fitsCard'] : []);

const sortText: Readonly<Record<ModelSort, string>> = {
  best: 'Best',
  newest: 'Newest',
  name: 'Name',
  smallest: 'Smallest',
};
export const sorts = Object.entries(sortText).map(([value, label]) => ({ value: value as ModelSort, label }));

export function facetValueText(facet: FacetName, value: string): string {
  if (facet === 'task') return taskText(value);
  return facet === 'accelerator' || facet === 'engine' ? (displayNames[value] ?? value) : value;
}
