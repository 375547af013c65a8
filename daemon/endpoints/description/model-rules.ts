import type { EndpointImage } from '../../contract/endpoints/endpoint-image.ts';
import type { EndpointModel } from '../../contract/endpoints/endpoint-model.ts';
import type { AddIssue } from './problems.ts';

/** The default health route of every engine's container. */
export const HEALTH_ROUTE = '/health';

/** Variables of llama.cpp's server for settings that the daemon passes in another way. */
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
/** The server's variables for these and similar arguments. Some systems ignore the case of variable names. */
const DANGEROUS_VARIABLE = /^LLAMA_ARG_(?:TOOLS|AGENT|MCP)/i;

/** Checks a model's arguments, variables and secrets against its engine. */
export function checkModel(model: EndpointModel, addIssue: AddIssue): void {
  if (!model.image.llamacpp) return;
  for (const member of ['env', 'secrets'] as const) {
    for (const name of Object.keys(model[member])) {
      if (RESERVED.includes(name.toUpperCase())) {
        addIssue([member, name], `The daemon sets ${name}. Use the image's own field instead.`);
      }
      if (DANGEROUS_VARIABLE.test(name)) addIssue([member, name], exposesMachine(name));
    }
  }
  for (const [at, word] of (model.args ?? []).entries()) {
    if (!DANGEROUS.some((argument) => word === argument || word.startsWith(`${argument}=`))) continue;
    addIssue(['args', at], exposesMachine(word));
  }
}

const exposesMachine = (word: string) => `${word} would give the model access to this machine's files and commands.`;

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
