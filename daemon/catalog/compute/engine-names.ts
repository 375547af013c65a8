import type { EngineType } from '../../contract/catalog/catalog.ts';

/** The engines by their names for people. A container of the user's own has none. */
export const engineNames: Readonly<Record<Exclude<EngineType, 'custom'>, string>> = {
  llamacpp: 'llama.cpp',
  sglang: 'SGLang',
  tei: 'TEI',
  vllm: 'vLLM',
  vllmNeuron: 'vLLM for Neuron',
  vllmOmni: 'vLLM-Omni',
};
