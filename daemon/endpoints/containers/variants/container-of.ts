import type { ContainerSpec, RegistryAccount } from '../../../containers/container-engine.ts';
import type { EndpointParts } from '../../description/endpoint-parts.ts';
import type { ModelNeed, PreparedModel } from '../../runtime/endpoint-runtime.ts';
import type { ContainerImages } from './container-images.ts';

export interface ContainerInputs {
  /** As `modelNeedOf` says. */
  readonly model: PreparedModel;
  /** The endpoint's variables and its decrypted secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** The most CPU threads that it may use. */
  readonly threads: number;
  readonly images: ContainerImages;
}

/** How an endpoint runs in a container. Its limits, graphics cards and devices are the machine's to say. */
export interface VariantContainer
  extends Pick<
    ContainerSpec,
    'image' | 'command' | 'args' | 'environment' | 'port' | 'mounts' | 'sharedMemoryBytes' | 'bindsLowPort'
  > {
  /** The path that answers 200 while it is healthy. */
  readonly healthRoute: string;
}

/** An image to pull, with the account of its registry; null: none. */
export interface PulledImage {
  readonly image: string;
  readonly account: RegistryAccount | null;
}

/** Why no container runs an endpoint, whatever the engine, in one sentence; null: one does. */
export function unsuitableForContainers(_parts: EndpointParts, _images: ContainerImages): string | null {
  throw new Error('not written yet');
}

/** What the container of an endpoint needs of its model. */
export function modelNeedOf(_parts: EndpointParts): ModelNeed {
  throw new Error('not written yet');
}

/** The image of an endpoint. @param imagePassword decrypted; null: none @throws Error if `unsuitableForContainers` */
export function pulledImage(
  _parts: EndpointParts,
  _images: ContainerImages,
  _imagePassword: string | null,
): PulledImage {
  throw new Error('not written yet');
}

/** The container of an endpoint. @throws Error if `unsuitableForContainers` */
export function containerOf(_parts: EndpointParts, _inputs: ContainerInputs): VariantContainer {
  throw new Error('not written yet');
}
