import type { Fit, ModelSort } from '../../../daemon/contract/catalog/models.ts';
import { counted } from '../../parts/format.ts';
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

/** Under the switches of `fitFilterText`. */
export const fitFilterHelp: Readonly<Record<FitFilter, string>> = {
  fits: 'With a program that is here or can be installed.',
  fitsCard: 'All of it, in the memory last measured as free.',
};

/** Why no model is listed. @param onlyFitting whether those that do not fit are left out */
export const noMatchText = (onlyFitting: boolean): string =>
  onlyFitting
    ? 'Only models that fit this machine are listed.'
    : 'Each search word must appear in the name, author, task, licence or file name, and every filter must match.';

export const emptyCatalogText = 'It was loaded and is empty.';
/** Under the reason why the catalog could not be updated. */
export const lastCopyText = 'You can still browse the last copy.';

/** After the reason why a model fits, if it takes most of the memory. */
export const tightText = 'It takes most of the memory: keep the context short and other programs closed.';

/** Whether only memory is missing, so that a smaller model would fit. */
export const isTooLarge = ({ fits, needBytes, capacityBytes }: Fit): boolean =>
  !fits && needBytes !== null && capacityBytes !== null && needBytes > capacityBytes;

export const noOfferText = (count: number): string => `None of the ${counted(count, 'offer')} can be used.`;
export const moreOffersText = (count: number): string => `${counted(count, 'more offer')} of the same kinds.`;
