import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { EngineType } from '../../contract/catalog/catalog.ts';
import type { EndpointImage, ImageVariant } from '../../contract/endpoints/endpoint-image.ts';
import type { EndpointModel } from '../../contract/endpoints/endpoint-model.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { REPOSITORY } from '../description/engine-image.ts';

/** The settings that the memory of a replica depends on. */
export const MemorySettings = z.object({
  repository: z.string(),
  /** A commit or a branch; null: the latest. */
  revision: z.string().nullable(),
  /** The engine of the catalog, or the kind of an image that the catalog has no recipes for. */
  engine: z.string(),
  /** The .gguf file; null: the engine finds the model's files. */
  file: z.string().nullable(),
  /** Of the context, in tokens; null: the engine's own choice. */
  contextTokens: z.int().nullable(),
  /** A digest of all other settings of the model; null: they are those of a deploy from the catalog. */
  others: z.string().nullable(),
});
export type MemorySettings = z.infer<typeof MemorySettings>;

/** The kinds of image that the catalog names in another way. */
const engines: Readonly<Partial<Record<ImageVariant, EngineType>>> = { vLLM: 'vllm', sGLang: 'sglang' };

/** The members of an image that a deploy from the catalog sets. */
const SET_BY_CATALOG: ReadonlySet<string> = new Set(
  'url healthRoute modelPath ctxSize mmprojModelPath mode pooling variant tensorParallelSize'.split(' '),
);

/**
 * @param slots of its replica now, which share the context where it was counted for each of them; see `slotsOf`
 * @returns null where the memory of its processes says little: on a graphics card, which has memory of its own
 */
export function memorySettings(
  { model, compute }: Pick<EndpointParts, 'model' | 'compute'>,
  slots: number | null = null,
): MemorySettings | null {
  return compute.accelerator === 'cpu' ? modelSettings(model, slots) : null;
}

/** The same settings, wherever it runs. */
export function modelSettings(model: EndpointModel, slots: number | null = null): MemorySettings {
  const { repository, revision, image } = model;
  const [variant] = Object.keys(image) as [ImageVariant];
  return {
    ...{ repository, revision, engine: engines[variant] ?? variant },
    ...{ file: fileOf(image), contextTokens: cacheTokens(image, slots) },
    others: isAsInCatalog(model) ? null : digestOf(model),
  };
}

/** The key-value cache of all slots. */
function cacheTokens({ llamacpp }: EndpointImage, slots: number | null): number | null {
  const { ctxSize, nParallel } = llamacpp ?? {};
  return ctxSize ? ctxSize * (nParallel ? 1 : (slots ?? 1)) : null;
}

/** The .gguf file's path in the repository, or on this machine. */
function fileOf({ llamacpp }: EndpointImage): string | null {
  if (!llamacpp || llamacpp.modelPath === REPOSITORY) return null;
  const inside = `${REPOSITORY}/`;
  return llamacpp.modelPath.startsWith(inside) ? llamacpp.modelPath.slice(inside.length) : llamacpp.modelPath;
}

function isAsInCatalog({ args, command, env, image }: EndpointModel): boolean {
  if (args?.length || command?.length || Object.keys(env).length > 0) return false;
  const [container] = Object.values(image);
  if (!container || !('url' in container) || !container.url.startsWith('engines/')) return false;
  return Object.entries(container).every(([member, value]) => SET_BY_CATALOG.has(member) || (value ?? null) === null);
}

function digestOf({ args, command, env, image }: EndpointModel): string {
  const text = JSON.stringify([args, command, Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1)), image]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
