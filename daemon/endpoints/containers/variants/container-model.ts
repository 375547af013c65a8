import { basename } from 'node:path';
import type { ContainerSpec } from '../../../containers/container-engine.ts';
import { partsOf } from '../../../model-files/choose-files.ts';
import type { EndpointParts } from '../../description/endpoint-parts.ts';
import { REPOSITORY } from '../../description/engine-image.ts';
import type { PreparedModel } from '../../runtime/endpoint-runtime.ts';
import type { ModelInContainer } from './tables/variant.ts';

/** The paths of a model inside a container, and the mounts that show it. */
export interface MountedModel {
  readonly model: ModelInContainer;
  readonly mounts: ContainerSpec['mounts'];
}

/**
 * Mounts a model in a container: the whole folder of a repository, or single files, so that a file of the user's own
 * does not show the folder that it lies in. Files of one name do not meet, since each kind has a folder.
 */
export function mountedModel(
  { model: { repository, revision, task } }: EndpointParts,
  prepared: PreparedModel,
): MountedModel {
  const names = { repository, revision, task };
  switch (prepared.kind) {
    case 'nothing':
      return { model: { ...names, path: null, mmprojPath: null, draftPath: null }, mounts: [] };
    case 'repository': {
      const mounts = [{ from: prepared.folder, to: REPOSITORY }];
      return { model: { ...names, path: REPOSITORY, mmprojPath: null, draftPath: null }, mounts };
    }
    case 'gguf': {
      const { modelPath, mmprojPath, draftPath } = prepared.files;
      const at = (folder: string, path: string | null) => path && `${folder}/${basename(path)}`;
      const folders = { model: REPOSITORY, vision: `${REPOSITORY}/vision`, draft: `${REPOSITORY}/draft` };
      const mount = (folder: string, path: string | null) =>
        path === null ? [] : partsOf(path).map((part) => ({ from: part, to: `${folder}/${basename(part)}` }));
      return {
        model: {
          ...{ ...names, path: at(folders.model, modelPath) },
          ...{ mmprojPath: at(folders.vision, mmprojPath), draftPath: at(folders.draft, draftPath) },
        },
        mounts: [
          ...mount(folders.model, modelPath),
          ...mount(folders.vision, mmprojPath),
          ...mount(folders.draft, draftPath),
        ],
      };
    }
  }
}
