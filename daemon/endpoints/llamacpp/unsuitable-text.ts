import type { EndpointImage, ImageVariant } from '../../contract/endpoints/endpoint-image.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';

const PROGRAMS: Readonly<Record<Exclude<ImageVariant, 'llamacpp'>, string>> = {
  hub: 'containers of the hub',
  hubNeuron: 'containers of the hub',
  tgi: 'Text Generation Inference',
  tgiNeuron: 'Text Generation Inference',
  tei: 'Text Embeddings Inference',
  vLLM: 'vLLM',
  vLLMOmni: 'vLLM-Omni',
  vLLMNeuron: 'vLLM for Neuron',
  sGLang: 'SGLang',
  hubServe: 'containers of the hub',
  custom: 'containers',
};

/** Why no runtime of llama.cpp runs an endpoint, whichever it is; null: one may. */
export function unsuitableForLlamacpp(parts: EndpointParts): string | null {
  const { image } = parts.model;
  if (!image.llamacpp) return `This machine has no program that runs ${programOf(image)}.`;
  if (parts.compute.accelerator !== 'cpu' && parts.compute.accelerator !== 'gpu') {
    return `This machine has no program that uses a ${parts.compute.accelerator} accelerator.`;
  }
  if (parts.model.command?.length) return 'The endpoint has a command of its own, which is not used on this machine.';
  return null;
}

function programOf(image: EndpointImage): string {
  const [variant = 'custom'] = Object.keys(image) as Exclude<ImageVariant, 'llamacpp'>[];
  return PROGRAMS[variant];
}
