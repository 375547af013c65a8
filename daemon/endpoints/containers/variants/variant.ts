import type { EndpointImage, ImageVariant } from '../../../contract/endpoints/endpoint-image.ts';
import type { EndpointTask } from '../../../contract/endpoints/endpoint-model.ts';

/** The variants that name an image. `hub` and `hubNeuron` name none: only the hub runs them. */
export type ContainerVariant = Exclude<ImageVariant, 'hub' | 'hubNeuron'>;

export type ImageOf<Name extends ContainerVariant> = NonNullable<EndpointImage[Name]>;

/** Members of every variant, which describe the container and not its engine. */
type ContainerMember = 'url' | 'healthRoute' | 'port';

/** The way of one member of an image to its engine. */
export interface Setting {
  /** An argument, which begins with a dash, or a variable; null: another part of the daemon uses the member. */
  readonly to: string | null;
  /** Arguments without a value, each for a value of the member. */
  readonly flags?: Readonly<Record<string, string>>;
  /** The engine's words for the values that it writes in another way. */
  readonly values?: Readonly<Record<string, string>>;
  /** Variables that are set with it, whatever its value. */
  readonly environment?: Readonly<Record<string, string>>;
  /** 0 has a meaning of its own. Elsewhere it means the engine's default, like null. */
  readonly hasZero?: true;
  /** For the document about variants. */
  readonly note?: string;
}

/** Arguments and variables for an engine. */
export interface Passed {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** The model as an engine in a container sees it. */
export interface ModelInContainer {
  /** A path in the container; null: the engine is to download the model by itself. */
  readonly path: string | null;
  readonly mmprojPath: string | null;
  readonly draftPath: string | null;
  /** `owner/name` on the hub. */
  readonly repository: string;
  /** null: the head of the main branch. */
  readonly revision: string | null;
  readonly task: EndpointTask;
}

/** Settings that an endpoint may not pass by itself, with the end of the sentence that says why. */
export type Reserved = Readonly<Record<string, string>>;

/** The rules by which the image of a variant is run. */
export interface Variant<Member extends string = string> {
  /** The engine's name for people. */
  readonly label: string;
  /** Where its arguments are documented. */
  readonly source: string;
  /** Its port if the image's field `port` is not set. */
  readonly port: number;
  /** The files that the daemon puts on the disk for it. */
  readonly files: 'gguf' | 'repository';
  /** Replaces the image's entry point; null: the image's own. */
  readonly command: readonly string[] | null;
  /** The size of /dev/shm, in bytes; null: the container engine's default. */
  readonly sharedMemoryBytes: number | null;
  readonly settings: Readonly<Record<Member, Setting>>;
  /** Names its model. */
  readonly model: (model: ModelInContainer) => Passed;
  /** The port to listen on, at every address of the container. */
  readonly address: (port: number) => Passed;
  /** Settings of the daemon that the endpoint's own variables may change. */
  readonly defaults: (machine: { readonly threads: number; readonly isProcessor: boolean }) => Passed;
  readonly reservedArguments: Reserved;
  readonly reservedVariables: Reserved;
}

/** One table for each variant, with every member of its image. */
export type Variants = {
  readonly [Name in ContainerVariant]: Variant<Exclude<keyof ImageOf<Name> & string, ContainerMember>>;
};

/** Reasons of `Reserved`, each the end of a sentence. */
export const reasons = {
  port: 'the daemon sets it from the image’s field port',
  address: 'the daemon decides where the model is reached',
  model: 'the model comes from the endpoint’s repository',
  access: 'the daemon decides who may use the model',
} as const;
