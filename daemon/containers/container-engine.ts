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
  readonly owner: ContainerOwner;
  /** Gets each line of its output, stdout and stderr. */
  readonly onLine: (text: string, truncated: boolean) => void;
}

interface ContainerOwner {
  readonly endpoint: string;
  readonly replica: string;
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

/** A container of ours that was started. */
export interface OwnContainer {
  readonly id: string;
  readonly published: PublishedPort;
  /** Whether `memoryBytes` may count the files that its programs have read, which the system drops when memory is needed. */
  readonly countsFiles: boolean;
  /** Resolves when it serves no more, within 5 s after it is paused, or it or its engine is gone. Never rejects. */
  readonly ended: Promise<void>;
  /** Resolves within 6 s after `ended`, once its last lines are passed on. Never rejects. */
  readonly exited: Promise<ContainerExit>;
  /**
   * Memory in bytes as it was measured last, and processor time in seconds since its start; null: unknown, or it has
   * ended. Answers within 1 s, and at once while the engine is slow; never rejects.
   */
  usage(): Promise<{ readonly memoryBytes: number | null; readonly cpuSeconds: number | null }>;
  /**
   * SIGTERM, after a grace SIGKILL; then removes it. Resolves once it is gone, or its engine has failed to remove it: it is
   * removed later then. Never rejects.
   */
  stop(graceMs: number): Promise<void>;
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

/** A program of this machine that runs containers, through its Docker-compatible interface. */
export interface ContainerEngine {
  /** Its name and version, such as "Podman 4.3.1". */
  readonly label: string;
  readonly hasGpu: boolean;
  hasImage(image: string): Promise<boolean>;
  /**
   * @param account of the image's registry; null: none
   * @throws ImagePullFailed, ContainerEngineGone, or the reason of the signal
   */
  pull(
    image: string,
    account: RegistryAccount | null,
    options: { readonly signal: AbortSignal; readonly onProgress: (progress: PullProgress) => void },
  ): Promise<void>;
  /**
   * Creates and starts a container. Nothing of it is left when it throws; what an engine that did not answer has created
   * is removed later.
   * @throws ContainerStartFailed, ContainerEngineGone, StorageError when the data folder takes no record of it
   */
  run(spec: ContainerSpec): Promise<OwnContainer>;
  /** Removes every container of this daemon that it does not run now. @returns how many. @throws ContainerEngineGone */
  removeOrphans(): Promise<number>;
}
