import type { Fit } from '../../../daemon/contract/catalog/models.ts';
import type { StateText } from '../../parts/progress-text.ts';
import type { FacetName, ModelSort } from '../../slices/models/models-query.ts';
import { displayNames } from '../deploy/recipe-text.ts';

export const facetText: Readonly<Record<FacetName, string>> = {
  task: 'Task',
  accelerator: 'Runs on',
  engine: 'Engine',
  license: 'Licence',
  author: 'Author',
};

export const sorts = [
  { value: 'newest', label: 'Newest' },
  { value: 'name', label: 'Name' },
  { value: 'smallest', label: 'Smallest' },
] as const satisfies readonly { value: ModelSort; label: string }[];

/** `text-generation` as `Text generation`. */
export function taskText(task: string): string {
  const text = task.replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function facetValueText(facet: FacetName, value: string): string {
  if (facet === 'task') return taskText(value);
  return facet === 'accelerator' || facet === 'engine' ? (displayNames[value] ?? value) : value;
}

/** A recipe that fits without an offer runs on compute that a remote catalog's service selects. */
export function fitText({
  fits,
  tight,
  lacksRuntime,
  offer,
}: Pick<Fit, 'fits' | 'tight' | 'lacksRuntime' | 'offer'>): StateText {
  if (fits && offer === null) return { word: 'runs remotely', tone: 'idle' };
  if (fits) return tight ? { word: 'tight', tone: 'busy' } : { word: 'fits', tone: 'done' };
  return { word: lacksRuntime ? 'no program' : 'does not fit', tone: 'idle' };
}

/** `fits` is false for an offer that is too small or not available. */
export function offerText(fits: boolean): StateText {
  return fits ? { word: 'fits', tone: 'done' } : { word: 'ruled out', tone: 'idle' };
}
