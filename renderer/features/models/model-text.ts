import type { Recipe } from '../../../daemon/contract/catalog/catalog.ts';
import type { Fit } from '../../../daemon/contract/catalog/models.ts';
import type { Tone } from '../../parts/notes/StateWord.tsx';
import type { FacetName, ModelSort } from '../../slices/models/models-query.ts';

export const facetWords: Readonly<Record<FacetName, string>> = {
  task: 'Task',
  accelerator: 'Computes on',
  engine: 'Engine',
  license: 'Licence',
  author: 'Author',
};

/** As people write them; another one, of a newer catalog, as it is. */
const written: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  gpu: 'GPU',
  neuron: 'Neuron',
  custom: 'Own image',
  llamacpp: 'llama.cpp',
  sglang: 'SGLang',
  tei: 'TEI',
  vllm: 'vLLM',
  vllmNeuron: 'vLLM Neuron',
  vllmOmni: 'vLLM Omni',
};

export const sorts = [
  { value: 'newest', word: 'Newest' },
  { value: 'name', word: 'Name' },
  { value: 'smallest', word: 'Smallest' },
] as const satisfies readonly { value: ModelSort; word: string }[];

/** `text-generation` as `Text generation`. */
export function taskWords(task: string): string {
  const words = task.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function valueWords(facet: FacetName, value: string): string {
  if (facet === 'task') return taskWords(value);
  return facet === 'accelerator' || facet === 'engine' ? (written[value] ?? value) : value;
}

/** `llama.cpp on CPU`. */
export const recipeWords = ({ engineType, accelerator }: Recipe): string =>
  `${written[engineType] ?? engineType} on ${written[accelerator] ?? accelerator}`;

/** `33M`, `8.2B`: as names of models have it. */
export function parameters(count: number): string {
  const [size, unit] = count >= 1e9 ? [1e9, 'B'] : count >= 1e6 ? [1e6, 'M'] : [1e3, 'K'];
  const value = count / size;
  return `${value >= 100 ? Math.round(value) : Number(value.toFixed(1))}${unit}`;
}

/** US dollars: `no charge`, `$0.033`, `$1.80`. */
export function price(perHour: number): string {
  return perHour === 0 ? 'no charge' : `$${perHour.toFixed(perHour < 0.1 ? 3 : 2)}`;
}

export const priceAnHour = (perHour: number): string => (perHour === 0 ? price(0) : `${price(perHour)} an hour`);

/** What fits without compute that we know of, a remote catalog's service finds compute for. */
export function fitWords({ fits, offer }: Pick<Fit, 'fits' | 'offer'>): { readonly word: string; readonly tone: Tone } {
  if (fits && offer === null) return { word: 'at the service', tone: 'idle' };
  return fits ? { word: 'fits', tone: 'done' } : { word: 'does not fit', tone: 'idle' };
}

/** Of one offer: big enough is not all, it has to be had, too. */
export function offerWords(fits: boolean): { readonly word: string; readonly tone: Tone } {
  return fits ? { word: 'fits', tone: 'done' } : { word: 'ruled out', tone: 'idle' };
}
