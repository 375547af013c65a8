import type { EndpointParts } from '../description/endpoint-parts.ts';
import type { Unsuitable } from '../runtime/endpoint-runtime.ts';

/** Why no runtime of llama.cpp runs an endpoint, whichever it is; null: one may. */
export function unsuitableForLlamacpp(parts: EndpointParts): Unsuitable | null {
  if (!parts.model.image.llamacpp) {
    return {
      problem: 'Without a container, this machine runs models of llama.cpp only.',
      action: 'Deploy a recipe of llama.cpp.',
    };
  }
  if (parts.compute.accelerator !== 'cpu' && parts.compute.accelerator !== 'gpu') {
    return {
      problem: `This machine has no program that uses a ${parts.compute.accelerator} accelerator.`,
      action: 'Choose the processor for it.',
    };
  }
  if (!parts.model.command?.length) return null;
  return {
    problem: 'The endpoint has a command of its own, which needs a container engine.',
    action: 'Remove the command.',
  };
}
