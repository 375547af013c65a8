import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { RegistryAccount } from '../../containers/container-engine.ts';
import type { ComputeAccelerator } from '../../contract/compute/endpoint-compute.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import type { Unsuitable } from '../runtime/endpoint-runtime.ts';
import { engineOf, imageName, urlProblem } from './variants/image-name.ts';
import { type ChosenVariant, variantOf } from './variants/variants.ts';

const Row = z.strictObject({
  /** The image's full name with a tag; null: none is known. */
  image: z.string().nullable(),
  /** Where the tag was seen, or why there is none. */
  note: z.string().min(1),
});

const Table = z.strictObject({ comment: z.string(), images: z.record(z.string(), Row) });

/** The image of an engine and an accelerator, such as `vllm:gpu`; null: none is known, and `note` says why. */
export type ContainerImages = ReadonlyMap<string, z.infer<typeof Row>>;

/** Reads the table of images. @param file assets/runtimes/container-images.json */
export async function readContainerImages(file: string): Promise<ContainerImages> {
  return new Map(Object.entries(Table.parse(JSON.parse(await readFile(file, 'utf8'))).images));
}

/** The engines and accelerators that an image is known for, such as `vllm:gpu`. */
export function knownEngines(images: ContainerImages): ReadonlySet<string> {
  return new Set([...images].flatMap(([engine, { image }]) => (image === null ? [] : [engine])));
}

/** An image to pull. */
export interface PulledImage {
  readonly image: string;
  /** Of its registry; null: none. */
  readonly account: RegistryAccount | null;
  /** A user name that was given without a password: the image is asked for without an account. null: none. */
  readonly nameWithoutPassword: string | null;
}

const ONLY_THE_HUB: Unsuitable = {
  problem: 'Only the hub runs this kind of endpoint: it names no image that this machine could run.',
  action: 'Choose another kind of image for it, such as vLLM or tei.',
};
/** This machine chooses the image of such a model when it is deployed, by the files that the hub shows. */
const NOT_CHOSEN: Unsuitable = {
  problem: 'Its image is still open: the hub did not show the files of the repository when it was deployed.',
  action: 'Deploy it again once the hub can be reached, or choose its image, such as llamacpp, vLLM or tei.',
};

/** Why no container runs an endpoint, whatever the container engine; null: one does. */
export function unsuitableForContainers({ model, compute }: EndpointParts, images: ContainerImages): Unsuitable | null {
  const chosen = variantOf(model.image);
  if (chosen === null) return 'hub' in model.image ? NOT_CHOSEN : ONLY_THE_HUB;
  if (compute.accelerator === 'zero_gpu') {
    return {
      problem: 'Only the hub has a zero_gpu accelerator.',
      action: 'Choose the processor or a graphics card for it.',
    };
  }
  const image = imageOf(chosen, images);
  return 'problem' in image ? image : acceleratorProblem(chosen.image.url, compute.accelerator);
}

/** An image with the libraries of an accelerator has many gigabytes, and its program ends without it. */
function acceleratorProblem(url: string, accelerator: ComputeAccelerator): Unsuitable | null {
  const needed = engineOf(url)?.split(':')[1];
  if ((needed !== 'gpu' && needed !== 'neuron') || needed === accelerator) return null;
  const places = { gpu: 'graphics cards', neuron: 'Neuron accelerators' };
  const here = accelerator === 'cpu' ? 'the processor' : places[needed === 'gpu' ? 'neuron' : 'gpu'];
  return {
    problem: `${url} is an image for ${places[needed]}, and the endpoint runs on ${here}.`,
    action: 'Change its image or its accelerator.',
  };
}

/** The image of an endpoint. @param imagePassword decrypted; null: none @throws Error if `unsuitableForContainers` */
export function pulledImage(
  { model }: EndpointParts,
  images: ContainerImages,
  imagePassword: string | null,
): PulledImage {
  const image = requiredImage(chosenVariant(model.image), images);
  const username = model.image.custom?.credentials?.username;
  if (username === undefined) return { image, account: null, nameWithoutPassword: null };
  if (imagePassword === null) return { image, account: null, nameWithoutPassword: username };
  return { image, account: { username, password: imagePassword }, nameWithoutPassword: null };
}

export function chosenVariant(image: EndpointParts['model']['image']): ChosenVariant {
  const chosen = variantOf(image);
  if (chosen === null) throw new Error('this endpoint names no image');
  return chosen;
}

export function requiredImage(chosen: ChosenVariant, images: ContainerImages): string {
  const found = imageOf(chosen, images);
  if ('problem' in found) throw new Error(found.problem);
  return found.image;
}

function imageOf({ image: { url } }: ChosenVariant, images: ContainerImages) {
  const engine = engineOf(url);
  if (engine === null) {
    const name = imageName(url);
    return 'problem' in name ? { ...name, action: 'Correct its url.' } : name;
  }
  const problem = urlProblem(url);
  if (problem !== null) return { problem, action: 'Correct its url.' };
  const known = images.get(engine);
  if (known?.image) return { image: known.image };
  const why = known ? ` ${known.note}` : '';
  return { problem: `No image is known for ${url}.${why}`, action: 'Name an image in its url.' };
}
