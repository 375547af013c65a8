import type { EndpointImage } from '../../../contract/endpoints/endpoint-image.ts';
import { llamacpp } from './llamacpp.ts';
import { custom, hubServe } from './plain.ts';
import { sGLang } from './sglang.ts';
import { tei, tgi, tgiNeuron } from './text-inference.ts';
import type { ContainerVariant, ImageOf, Passed, Setting, Variant, Variants } from './variant.ts';
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

/** The arguments and variables of an image's members, in the order of the variant's table. */
export function settingsOf(
  { settings }: Pick<Variant, 'settings'>,
  image: Readonly<Record<string, unknown>>,
): Required<Passed> {
  const args: string[] = [];
  const environment: Record<string, string> = {};
  for (const [member, setting] of Object.entries(settings)) {
    const value = textOf(setting, image[member]);
    if (value === null) continue;
    const { to, flags } = setting;
    Object.assign(environment, setting.environment);
    if (flags?.[value] !== undefined) args.push(flags[value]);
    if (to?.startsWith('-')) args.push(to, value);
    else if (to !== null) environment[to] = value;
  }
  return { args, environment };
}

/** @returns null: nothing is passed, so that the engine chooses */
function textOf({ values, hasZero }: Setting, value: unknown): string | null {
  if (value === 0 && !hasZero) return null;
  if (value === true) return 'true';
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return values?.[value] ?? String(value);
}
