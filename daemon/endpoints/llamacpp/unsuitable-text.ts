import type { EndpointParts } from '../description/endpoint-parts.ts';

/** Why no runtime of llama.cpp runs an endpoint, whichever it is; null: one may. */
export function unsuitableForLlamacpp(parts: EndpointParts): string | null {
  if (!parts.model.image.llamacpp) return 'Without a container, this machine runs models of llama.cpp only.';
  if (parts.compute.accelerator !== 'cpu' && parts.compute.accelerator !== 'gpu') {
    return `This machine has no program that uses a ${parts.compute.accelerator} accelerator.`;
  }
  if (parts.model.command?.length) return 'The endpoint has a command of its own, which needs a container engine.';
  return null;
}
