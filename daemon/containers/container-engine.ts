/** A port of a container, published on 127.0.0.1 alone. */
export interface PublishedPort {
  readonly host: string;
  /** 0: the container ended before its engine could be asked. */
  readonly port: number;
}

/** The settings of a container. Everything else is withheld: no capability but those named, no privilege, no other port. */
export interface ContainerSpec {
  /** The full name of its image, with a tag or a digest. */
  readonly image: string;
  /** Replaces the image's entry point; null: the image's own. */
  readonly command: readonly string[] | null;
  readonly args: readonly string[];
  /** Variables, secrets included. They are never logged. */
  readonly environment: Readonly<Record<string, string>>;
  /** The port that the program in it listens on; published on a free port of 127.0.0.1. */
  readonly port: number;
  /** Folders of this machine, mounted read-only. */
  readonly mounts: readonly { readonly from: string; readonly to: string }[];
  /** null: no limit. */
  readonly memoryBytes: number | null;
  /** In processors, such as 1.5; null: no limit. */
  readonly cpus: number | null;
  /** `all`: every graphics card of this machine. */
  readonly gpus: 'none' | 'all';
  /** Devices of this machine, such as `/dev/neuron0`. */
  readonly devices: readonly string[];
  /** The size of /dev/shm, in bytes; null: the engine's default. */
  readonly sharedMemoryBytes: number | null;
  /** Whether the program binds a port below 1024 in its container, which takes a capability. */
  readonly bindsLowPort: boolean;
  /** The owner: the endpoint's namespace and name, and the id of the replica. */
  readonly owner: { readonly endpoint: string; readonly replica: string };
  /** Gets each line of its output, stdout and stderr. */
  readonly onLine: (text: string, truncated: boolean) => void;
}

/** The end of a container. */
export interface ContainerExit {
  /** null: unknown, since the container or its engine is gone. */
  readonly code: number | null;
  /**
   * `exited`: its program ended. `removed`: somebody removed the container. `paused`: somebody paused it, and it is removed.
   * `engine-gone`: its engine ended, and the container does not answer, or could not be stopped.
   */
  readonly how: 'exited' | 'removed' | 'paused' | 'engine-gone';
  /** Whether the system ended it for want of memory, as far as the engine knows. */
  readonly isOutOfMemory: boolean;
}

export interface PullProgress {
  /** null: this engine reports no bytes. */
  readonly doneBytes: number | null;
  readonly totalBytes: number | null;
  readonly layersDone: number;
  /** null: not known yet. */
  readonly layers: number | null;
}

export interface RegistryAccount {
  readonly username: string;
  readonly password: string;
}
