import type { EndpointImage, ImageVariant } from '../../contract/endpoints/endpoint-image.ts';

const NAMES: Readonly<Record<ImageVariant, string>> = {
  hub: "The hub's own container",
  hubNeuron: "The hub's own container",
  tgi: 'Text Generation Inference',
  tgiNeuron: 'Text Generation Inference',
  tei: 'Text Embeddings Inference',
  llamacpp: 'The image of llama.cpp',
  vLLM: 'vLLM',
  vLLMOmni: 'vLLM-Omni',
  vLLMNeuron: 'vLLM for Neuron',
  sGLang: 'SGLang',
  hubServe: "The hub's own server",
  custom: 'Your own image',
};

/** The name of the engine of an image, to begin a sentence with. */
export function engineName(image: EndpointImage): string {
  const [variant = 'custom'] = Object.keys(image) as ImageVariant[];
  return NAMES[variant];
}
