import type { EndpointImage } from '../../../contract/endpoints/endpoint-image.ts';
import { llamacpp } from './llamacpp.ts';
import { custom, hubServe } from './plain.ts';
import { sGLang } from './sglang.ts';
import { tei, tgi, tgiNeuron } from './text-inference.ts';
import type { ContainerVariant, ImageOf, Variant, Variants } from './variant.ts';
import { vLLM, vLLMNeuron, vLLMOmni } from './vllm.ts';

export const variants: Variants = {
  ...{ tgi, tgiNeuron, tei, llamacpp, vLLM, vLLMOmni, vLLMNeuron, sGLang, hubServe, custom },
};

export interface ChosenVariant {
  readonly name: ContainerVariant;
  readonly variant: Variant;
  /** The members of the image. */
  readonly image: ImageOf<'hubServe'> & Readonly<Record<string, unknown>>;
}

/** The variant of an image; null: one that only the hub runs. */
export function variantOf(image: EndpointImage): ChosenVariant | null {
  const [[name, members] = []] = Object.entries(image);
  if (name === undefined || name === 'hub' || name === 'hubNeuron') return null;
  const known = name as ContainerVariant;
  return { name: known, variant: variants[known], image: members as ChosenVariant['image'] };
}
