import type { Recipe } from '../../../daemon/contract/catalog/catalog.ts';
import type { ConsideredOffer } from '../../../daemon/contract/catalog/models.ts';
import { counted } from '../../parts/format.ts';

/** Display names of accelerators and engines. A missing name, from a newer catalog, is shown unchanged. */
export const displayNames: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  gpu: 'GPU',
  neuron: 'Neuron',
  custom: 'Custom container',
  llamacpp: 'llama.cpp',
  sglang: 'SGLang',
  tei: 'TEI',
  vllm: 'vLLM',
  vllmNeuron: 'vLLM Neuron',
  vllmOmni: 'vLLM Omni',
};

/** `llama.cpp on CPU`. */
export const recipeText = ({ engineType, accelerator }: Recipe): string =>
  `${displayNames[engineType] ?? engineType} on ${displayNames[accelerator] ?? accelerator}`;

/** US dollars: `no charge`, `$0.033`, `$1.80`. */
export function price(perHour: number): string {
  return perHour === 0 ? 'no charge' : `$${perHour.toFixed(perHour < 0.1 ? 3 : 2)}`;
}

export const hourlyPriceText = (perHour: number): string => (perHour === 0 ? price(0) : `${price(perHour)} per hour`);

/** The label of the offers considered for a recipe: `Fits 1 of 56 offers`. */
export function offersText(considered: readonly ConsideredOffer[]): string {
  const fitting = considered.filter(({ fits }) => fits).length;
  return `Fits ${fitting === 0 ? 'none' : fitting} of ${counted(considered.length, 'offer')}`;
}
