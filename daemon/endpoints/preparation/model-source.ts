import { isAbsolute, posix } from 'node:path';
import type { WantedModel } from '../../model-files/model-choice.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { REPOSITORY } from '../description/engine-image.ts';

/** Where an endpoint's model comes from. */
export type ModelSource =
  /** Files of this machine: nothing is downloaded. */
  | { readonly source: 'own'; readonly model: string; readonly mmproj: string | null; readonly draft: string | null }
  | ({ readonly source: 'repository' } & Omit<WantedModel, 'prefersCopy'>)
  | { readonly source: 'none'; readonly problem: string };

/**
 * Reads the paths of a llama.cpp image. With `skipRepoDownload` they are absolute paths of this machine; else they are
 * paths in the repository, with or without the container's folder `/repository` in front.
 */
export function modelSource({ model, experimentalFeatures }: EndpointParts): ModelSource {
  const image = model.image.llamacpp;
  if (!image) return { source: 'none', problem: 'The endpoint has no llama.cpp image.' };
  const { modelPath, mmprojModelPath: mmproj = null, specModelPath: draft = null, variant = null } = image;
  const paths = [modelPath, mmproj, draft].filter((path) => path !== null);
  if (experimentalFeatures.skipRepoDownload) {
    const relative = paths.find((path) => !isAbsolute(path));
    if (relative === undefined) return { source: 'own', model: modelPath, mmproj, draft };
    return {
      source: 'none',
      problem: `With skipRepoDownload, "${relative}" must be an absolute path of this machine.`,
    };
  }
  const outside = paths.find((path) => inRepository(path) === null);
  if (outside !== undefined) {
    const problem = `"${outside}" is outside the repository. For a file of this machine, set skipRepoDownload.`;
    return { source: 'none', problem };
  }
  return {
    source: 'repository',
    repository: model.repository,
    revision: model.revision,
    model: inRepository(modelPath) || variant || '*.gguf',
    mmproj: mmproj && inRepository(mmproj),
    draft: draft && inRepository(draft),
  };
}

/** @returns the path in the repository, empty for the repository itself; null: it leads out of it */
function inRepository(path: string): string | null {
  const normal = posix.normalize(path);
  if (normal === REPOSITORY || normal === `${REPOSITORY}/`) return '';
  const inside = normal.startsWith(`${REPOSITORY}/`) ? normal.slice(REPOSITORY.length + 1) : normal;
  return inside.startsWith('/') || inside.startsWith('..') ? null : inside;
}
