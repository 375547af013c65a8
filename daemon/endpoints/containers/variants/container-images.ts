import { readFile } from 'node:fs/promises';
import * as z from 'zod';

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
