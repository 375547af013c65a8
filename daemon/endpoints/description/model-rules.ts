import type { EndpointImage } from '../../contract/endpoints/endpoint-image.ts';
import type { EndpointModel } from '../../contract/endpoints/endpoint-model.ts';
import { readLlamaArguments } from './llama-arguments.ts';
import { overLimit } from './llama-limits.ts';
import { variableProblem } from './llama-variables.ts';
import type { AddIssue } from './problems.ts';

/** The default health route of every engine's container. */
export const HEALTH_ROUTE = '/health';

/**
 * Checks a model's arguments, variables and secrets against its engine. A model of llama.cpp runs as a process of this
 * machine, not in a container: its arguments are limited.
 */
export function checkModel(model: EndpointModel, addIssue: AddIssue): void {
  const image = model.image.llamacpp;
  if (!image) return;
  for (const member of ['nParallel', 'threadsHttp'] as const) {
    const problem = overLimit(member, image[member] ?? 0);
    if (problem !== null) addIssue(['image', 'llamacpp', member], problem);
  }
  for (const member of ['env', 'secrets'] as const) {
    for (const [name, value] of Object.entries(model[member])) {
      const problem = variableProblem(name, value);
      if (problem !== null) addIssue([member, name], problem);
    }
  }
  for (const { at, message } of readLlamaArguments(model.args ?? []).problems) addIssue(['args', at], message);
  if (model.command?.length) addIssue(['command'], 'The daemon starts llama.cpp itself: a command is not used here.');
}

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
