import { isAbsolute, posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { WantedModel } from '../../model-files/model-choice.ts';
import type { EndpointParts } from './endpoint-parts.ts';
import { REPOSITORY } from './engine-image.ts';

/** Where an endpoint's model comes from. */
type ModelSource =
  /** Files of this machine: nothing is downloaded. */
  | { readonly source: 'own'; readonly model: string; readonly mmproj: string | null; readonly draft: string | null }
  | ({ readonly source: 'repository' } & Omit<WantedModel, 'prefersCopy'>)
  /** `member`: that of the image which is at fault; null: it has none. */
  | { readonly source: 'none'; readonly problem: string; readonly member: PathMember | null };

type SourceParts = Pick<EndpointParts, 'model' | 'experimentalFeatures'>;

type PathMember = 'modelPath' | 'mmprojModelPath' | 'specModelPath';

/**
 * Reads the paths of a llama.cpp image. With `skipRepoDownload` they are absolute paths of this machine; else they are
 * paths in the repository, with or without the container's folder `/repository` in front.
 */
export function modelSource({ model, experimentalFeatures }: SourceParts): ModelSource {
  const image = model.image.llamacpp;
  if (!image) return { source: 'none', problem: 'The endpoint has no llama.cpp image.', member: null };
  const { modelPath, mmprojModelPath: mmproj = null, specModelPath: draft = null, variant = null } = image;
  const { skipRepoDownload: isOwn } = experimentalFeatures;
  const wrong = Object.entries({ modelPath, mmprojModelPath: mmproj, specModelPath: draft }).find(
    ([, path]) => path !== null && (isOwn ? !isAbsolute(path) : inRepository(path) === null),
  );
  if (wrong) {
    const [member, path] = wrong as [PathMember, string];
    const problem = isOwn
      ? `With skipRepoDownload, "${path}" must be an absolute path of this machine.`
      : `"${path}" is outside the repository. For a file of this machine, set experimentalFeatures.skipRepoDownload to true.`;
    return { source: 'none', problem, member };
  }
  if (isOwn) return { source: 'own', model: modelPath, mmproj, draft };
  return {
    source: 'repository',
    repository: model.repository,
    revision: model.revision,
    model: inRepository(modelPath) || variant || '*.gguf',
    mmproj: mmproj && inRepository(mmproj),
    draft: draft && inRepository(draft),
  };
}

/** Whether two endpoints have the same model from the same place. */
export function hasSameModel(one: SourceParts, other: SourceParts): boolean {
  return isDeepStrictEqual(modelSource(one), modelSource(other));
}

/** @returns the path in the repository, empty for the repository itself; null: it leads out of it */
function inRepository(path: string): string | null {
  const normal = posix.normalize(path);
  if (normal === REPOSITORY || normal === `${REPOSITORY}/`) return '';
  const inside = normal.startsWith(`${REPOSITORY}/`) ? normal.slice(REPOSITORY.length + 1) : normal;
  return inside.startsWith('/') || inside.startsWith('..') ? null : inside;
}
