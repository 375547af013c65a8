import type { EndpointImage } from '../../contract/endpoints/endpoint-image.ts';
import type { EndpointModel } from '../../contract/endpoints/endpoint-model.ts';
import { engineOf, urlProblem } from '../containers/variants/image-name.ts';
import type { Reserved, Variant } from '../containers/variants/variant.ts';
import { variantOf } from '../containers/variants/variants.ts';
import { checkChatTemplate } from './chat-template.ts';
import { readLlamaArguments } from './llama-arguments.ts';
import { overLimit } from './llama-options.ts';
import { variableProblem } from './llama-variables.ts';
import type { AddIssue } from './problems.ts';

/** The default health route of every engine's container. */
export const HEALTH_ROUTE = '/health';

const NO_COMMAND = 'The daemon starts llama.cpp itself: a command needs an image, named in the field url.';

/** Checks a model's image, arguments, variables and secrets against its engine. */
export function checkModel(model: EndpointModel, addIssue: AddIssue): void {
  const chosen = variantOf(model.image);
  if (chosen === null) return;
  const { name, variant, image } = chosen;
  const problem = urlProblem(image.url);
  if (problem !== null) addIssue(['image', name, 'url'], problem);
  if (name === 'llamacpp') checkLlamacpp(model, addIssue);
  else checkContainer(variant, model, addIssue);
}

/** Checks that an endpoint sets nothing by itself that the daemon sets. */
function checkContainer(
  { reservedArguments, reservedVariables }: Variant,
  { args, env, secrets }: EndpointModel,
  addIssue: AddIssue,
): void {
  const check = (path: [string, string | number], reserved: Reserved, name: string) => {
    if (Object.hasOwn(reserved, name)) addIssue(path, `An endpoint may not set ${name}: ${reserved[name]}.`);
  };
  for (const [at, word] of (args ?? []).entries()) {
    const name = word.startsWith('--') ? (word.split('=')[0] ?? '').replaceAll('_', '-') : word;
    check(['args', at], reservedArguments, name);
  }
  for (const [member, variables] of Object.entries({ env, secrets })) {
    for (const name of Object.keys(variables)) check([member, name], reservedVariables, name);
  }
}

/**
 * A model of llama.cpp may run as a process of this machine, where nothing holds it back: its arguments and variables are
 * limited, in a container too. A command of its own can only be run in an image that the endpoint names.
 */
function checkLlamacpp(model: EndpointModel, addIssue: AddIssue): void {
  const image = model.image.llamacpp;
  for (const member of ['nParallel', 'threadsHttp'] as const) {
    const problem = overLimit(member, image?.[member] ?? 0);
    if (problem !== null) addIssue(['image', 'llamacpp', member], problem);
  }
  for (const member of ['env', 'secrets'] as const) {
    for (const [name, value] of Object.entries(model[member])) {
      const problem = variableProblem(name, value);
      if (problem !== null) addIssue([member, name], problem);
    }
  }
  for (const { at, message } of readLlamaArguments(model.args ?? []).problems) addIssue(['args', at], message);
  checkChatTemplate(model, addIssue);
  if (model.command?.length && engineOf(image?.url ?? '') !== null) addIssue(['command'], NO_COMMAND);
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
