import type { EndpointImage } from '../contract/endpoints/endpoint-image.ts';
import type { EndpointModel } from '../contract/endpoints/endpoint-model.ts';
import type { Complain } from './problems.ts';

/** The health route of the containers of all engines, unless the caller chooses another. */
export const HEALTH_ROUTE = '/health';

/** What llama.cpp's server would read from its environment, and the daemon tells it in other ways. */
const RESERVED = [
  'MODEL',
  'HTTP_THREADS',
  'N_GPU_LAYERS',
  'EMBEDDINGS',
  'HOST',
  'PORT',
  'NO_MMAP',
  'CTX_SIZE',
  'N_PARALLEL',
  'ENDPOINT_METRICS',
].map((name) => `LLAMA_ARG_${name}`);

/** Arguments that would let a model reach this machine's files and commands. */
const DANGEROUS = ['--tools', '--agent'];
/** The same, and more of the kind, as the server would read it from its environment; in any case, as some systems do. */
const DANGEROUS_VARIABLE = /^LLAMA_ARG_(?:TOOLS|AGENT|MCP)/i;

/** Looks whether what a model is given makes sense for its engine. */
export function checkModel(model: EndpointModel, complain: Complain): void {
  if (!model.image.llamacpp) return;
  for (const member of ['env', 'secrets'] as const) {
    for (const name of Object.keys(model[member])) {
      if (RESERVED.includes(name.toUpperCase())) {
        complain([member, name], `${name} is set by the daemon; a member of the image says the same.`);
      }
      if (DANGEROUS_VARIABLE.test(name)) complain([member, name], opensMachine(name));
    }
  }
  for (const [at, word] of (model.args ?? []).entries()) {
    if (!DANGEROUS.some((argument) => word === argument || word.startsWith(`${argument}=`))) continue;
    complain(['args', at], opensMachine(word));
  }
}

const opensMachine = (word: string) => `${word} would let the model use files and commands of this machine.`;

/** The image with its derived and default members. */
export function completeImage(image: EndpointImage): EndpointImage {
  if (image.tgi) return { tgi: { ...image.tgi, disableCustomKernels: image.tgi.disableCustomKernels ?? true } };
  if (image.llamacpp?.mode === 'reranking') return { llamacpp: { ...image.llamacpp, pooling: 'rank' } };
  return image;
}

export function healthRouteOf(image: EndpointImage): string {
  const [container] = Object.values(image);
  return (container && 'healthRoute' in container && container.healthRoute) || HEALTH_ROUTE;
}
