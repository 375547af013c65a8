import { basename } from 'node:path';
import type { ContainerSpec } from '../../containers/container-engine.ts';
import { partsOf } from '../../model-files/choose-files.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { REPOSITORY } from '../description/engine-image.ts';
import { readLlamaArguments } from '../description/llama-arguments.ts';
import { poolingOf } from '../llamacpp/llama-server-arguments.ts';
import { ggufFiles, type ModelNeed, type PreparedModel, type ReplicaSpec } from '../runtime/endpoint-runtime.ts';
import { type ContainerImages, chosenVariant, requiredImage } from './container-images.ts';
import type { ModelInContainer } from './variants/variant.ts';
import { type ChosenVariant, settingsOf, variantOf } from './variants/variants.ts';

interface ContainerInputs extends Pick<ReplicaSpec, 'model' | 'variables' | 'threads'> {
  readonly images: ContainerImages;
}

const FIRST_OPEN_PORT = 1_024;

/**
 * The files of its model that the container of an endpoint needs; nothing, if none runs it. With `skipRepoDownload` the engine
 * downloads it by itself.
 */
export function modelNeedOf({ model, experimentalFeatures }: EndpointParts): ModelNeed {
  const files = variantOf(model.image)?.variant.files ?? 'nothing';
  return files === 'repository' && experimentalFeatures.skipRepoDownload ? 'nothing' : files;
}

/**
 * The container of an endpoint, without the limits, graphics cards and devices, which depend on the machine. The endpoint's own arguments come after those of its image's members, so that they win;
 * the address comes last, and no variable of the endpoint replaces it or the model.
 * @throws Error if `unsuitableForContainers`
 */
export function containerOf(parts: EndpointParts, { model: prepared, variables, threads, images }: ContainerInputs) {
  const chosen = chosenVariant(parts.model.image);
  const { variant, image } = chosen;
  const port = image.port || variant.port;
  const { model, mounts } = mountedModel(parts, prepared);
  const named = variant.model(model);
  const address = variant.address(port);
  const defaults = variant.defaults({ threads, isProcessor: parts.compute.accelerator === 'cpu' });
  const settings = settingsOf(variant, membersOf(parts, prepared, image));
  return {
    image: requiredImage(chosen, images),
    command: parts.model.command?.length ? parts.model.command : variant.command,
    args: [
      ...(named.args ?? []),
      ...(defaults.args ?? []),
      ...settings.args,
      ...ownArguments(parts),
      ...(address.args ?? []),
    ],
    environment: {
      ...defaults.environment,
      ...settings.environment,
      ...variables,
      ...named.environment,
      ...address.environment,
    },
    ...{ port, mounts, sharedMemoryBytes: variant.sharedMemoryBytes, bindsLowPort: port < FIRST_OPEN_PORT },
    healthRoute: parts.healthRoute,
  };
}

/** The endpoint's own arguments. llama.cpp's server knows no `--name=value`. */
function ownArguments({ model }: EndpointParts): readonly string[] {
  const args = model.args ?? [];
  return model.image.llamacpp ? readLlamaArguments(args).words : args;
}

/** The members of an image, completed by what the model's file says. */
function membersOf({ model }: EndpointParts, prepared: PreparedModel, image: ChosenVariant['image']) {
  const { llamacpp } = model.image;
  return llamacpp ? { ...image, pooling: poolingOf(llamacpp, ggufFiles(prepared).facts.pooling) } : image;
}

type MountedModel = Pick<ContainerSpec, 'mounts'> & { readonly model: ModelInContainer };

/**
 * Mounts a model in a container: the whole folder of a repository, or single files, so that a file of the user's own
 * does not show the folder that it lies in. Files of one name do not meet, since each kind has a folder.
 */
function mountedModel({ model: { repository, revision, task } }: EndpointParts, prepared: PreparedModel): MountedModel {
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
