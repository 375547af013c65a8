import type { Fit, MeasuredSpeed, ModelSort } from '../../../daemon/contract/catalog/models.ts';
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

/** The filter by the graphics card, on or off. */
export const cardFilterText = 'Fits the graphics card';
export const cardFilterHelp = 'The whole model fits the free memory of the card.';

/** The switch that lists the models that do not fit, too. */
export const allModelsText = 'Show all models';
/** Beside the number of models: how many others there are. @param listed whether any model is listed */
export const hiddenText = (count: number, listed: boolean): string =>
  `${count.toLocaleString()}${listed ? ' more' : ''} ${count === 1 ? 'does' : 'do'} not fit this machine.`;

const sortText: Readonly<Record<ModelSort, string>> = {
  best: 'Best here',
  newest: 'Newest',
  name: 'Name',
  smallest: 'Smallest',
};
/** The rule of the order `best`. */
export const bestHelp = 'Quick models that leave memory free come first, larger ones before smaller.';
/** @param runsHere whether models run on this machine: of a remote catalog nothing but their size is known */
export const sortsOf = (runsHere: boolean) =>
  Object.entries({ ...sortText, ...(!runsHere && { best: 'Largest' }) }).map(([value, label]) => ({
    ...{ value: value as ModelSort, label },
  }));

export function facetValueText(facet: FacetName, value: string): string {
  if (facet === 'task') return taskText(value);
  return facet === 'accelerator' || facet === 'engine' ? (displayNames[value] ?? value) : value;
}

/** Why no model is listed. @param onlyFitting whether some that do not fit are left out */
export const noMatchText = (onlyFitting: boolean): string =>
  onlyFitting
    ? 'Only models that fit this machine are listed.'
    : 'Each search word must appear in the name, author, task, licence or file name, and every filter must match.';

/** Beside it, the switch that lists the models that do not fit stays as it is. */
export const clearQueryText = 'Clear the search and filters';

export const emptyCatalogText = 'It was loaded and is empty.';
/** Under the reason why the catalog could not be updated. */
export const lastCopyText = 'You can still browse the last copy.';

/** `12 tokens a second`; below ten with a decimal. */
export function speedText({ tokensPerSecond }: MeasuredSpeed): string {
  return `${tokensPerSecond < 10 ? tokensPerSecond.toFixed(1) : Math.round(tokensPerSecond)} tokens a second`;
}

/** After the reason why a model fits, if it takes most of the memory. */
export const tightText = 'It takes most of the memory: keep the context short and other programs closed.';

/** Whether only memory is missing, so that a smaller model would fit. */
export const isTooLarge = ({ fits, needBytes, capacityBytes }: Fit): boolean =>
  !fits && needBytes !== null && capacityBytes !== null && needBytes > capacityBytes;

export const noOfferText = (count: number): string => `None of the ${counted(count, 'offer')} can be used.`;
export const moreOffersText = (count: number): string => `${counted(count, 'more offer')} of the same kinds.`;
