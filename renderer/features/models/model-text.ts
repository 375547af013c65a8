import type { FacetName, ModelSort } from '../../slices/models/models-query.ts';
import { taskText } from '../deploy/fit-text.ts';
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

export function facetValueText(facet: FacetName, value: string): string {
  if (facet === 'task') return taskText(value);
  return facet === 'accelerator' || facet === 'engine' ? (displayNames[value] ?? value) : value;
}
