import type { CardProblem, CardUse } from '../../contract/compute/graphics-cards.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import type { CardPlace } from '../../graphics-cards/card-places.ts';
import type { LocalModel } from '../../model-files/model-files.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import type { OnReplicaLine } from './replica-log.ts';

/** The address of a replica's HTTP server on this machine. */
export type ReplicaAddress = { readonly socketPath: string } | { readonly host: string; readonly port: number };

/** The need of a runtime: a model's .gguf files, its whole repository, or nothing. */
export type ModelNeed = 'gguf' | 'repository' | 'nothing';

/** The prepared files of a model, as its runtime needs them. `folder` is the absolute path of the repository's files. */
export type PreparedModel =
  | { readonly kind: 'gguf'; readonly files: LocalModel }
  | { readonly kind: 'repository'; readonly folder: string }
  | { readonly kind: 'nothing' };

/** The .gguf files that were prepared. @throws Error for what was prepared in another way, which is a bug */
export function ggufFiles(model: PreparedModel): LocalModel {
  if (model.kind !== 'gguf') throw new Error(`a .gguf file is needed, not ${model.kind}`);
  return model.files;
}

/** Gets the progress of a fetch. */
export interface FetchReport {
  /** `engine`: it waits until the program that runs containers answers. @param detail such as "3 of 7 layers" */
  at(step: 'engine' | 'pull', detail?: string | null): void;
  downloaded(step: 'pull', doneBytes: number, totalBytes: number | null): void;
}

export interface FetchSpec {
  readonly parts: EndpointParts;
  /** The decrypted password of the image's account; null: none. */
  readonly imagePassword: string | null;
  readonly signal: AbortSignal;
  readonly report: FetchReport;
}

export interface ReplicaSpec {
  /** Distinguishes this replica from those before and after it. */
  readonly id: string;
  /** The endpoint that it serves, such as `lab/chat`. */
  readonly endpoint: string;
  readonly parts: EndpointParts;
  readonly model: PreparedModel;
  /** The endpoint's variables and its decrypted secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** The path of the Unix socket to listen on: unused so far, in a folder that exists and that only this user can enter. */
  readonly socketPath: string;
  /** The most CPU threads that it may use. */
  readonly threads: number;
  /** Its place on a graphics card; null: none is known to this daemon, or the processor alone is used. */
  readonly card: CardPlace | null;
  /** Gets each line of its output. */
  readonly onLine: OnReplicaLine;
}

/** Why a program cannot run an endpoint, and the one thing to do about it; a sentence each, or two. */
export interface Unsuitable {
  readonly problem: string;
  readonly action: string;
  /** The same, where it is the graphics card. */
  readonly card?: CardProblem;
}

/** Why no program of this machine runs an endpoint. */
export interface NoRuntime extends Unsuitable {
  readonly reason: 'no-runtime' | 'container-engine' | 'graphics-card';
}

/** A program that serves models on this machine. */
export interface EndpointRuntime {
  /** Its name for people, with its version. */
  readonly label: string;
  /** Whether its replicas go on when the daemon is killed; the others end by themselves. */
  readonly outlivesDaemon: boolean;
  /**
   * How it gets to a graphics card. `needed`: it runs on the one of its place, and on no other. `welcome`: it takes a place
   * where there is one, and may find cards of its own. `unused`: it finds them by itself.
   */
  readonly cardPlace: 'needed' | 'welcome' | 'unused';
  /** Why it cannot run an endpoint; null: it can. */
  unsuitable(parts: EndpointParts): Unsuitable | null;
  modelNeed(parts: EndpointParts): ModelNeed;
  /**
   * Downloads what it needs beside the model, such as an image, unless it is here. Absent: nothing is needed.
   * @throws EndpointFailed, or the reason of the signal
   */
  fetch?(spec: FetchSpec): Promise<void>;
  /** Starts one replica. It is not healthy yet. @throws the system's error when the program could not start */
  start(spec: ReplicaSpec): Promise<Replica>;
}

/** A running process or container that serves an endpoint. */
export interface Replica {
  /** The leader of its processes; null: it is a container. */
  readonly pid: number | null;
  /** The id of its container; null: it is a process. */
  readonly container: string | null;
  readonly address: ReplicaAddress;
  /** The port in its container that its address leads to; null: it is a process. */
  readonly containerPort: number | null;
  /** The path at its address that answers 200 while it is healthy. */
  readonly healthRoute: string;
  /** Whether it may download or compile its model by itself before it answers, which takes hours at most. */
  readonly preparesModel: boolean;
  /** Resolves as soon as it serves no more. Never rejects. */
  readonly ended: Promise<void>;
  /** Why it ended; means nothing after a `stop`. Resolves within 6 s after `ended`, once its last lines are in its log. Never rejects. */
  readonly exited: Promise<EndpointFailure>;
  /** Whether its health route answers 200 within a time. Never rejects. */
  isHealthy(withinMs: number): Promise<boolean>;
  /**
   * Whether `memoryBytes` may count the files that its programs have read, which the system drops when memory is needed: a
   * figure to show, and no proof of what the model takes.
   */
  readonly countsFiles: boolean;
  /** The memory that it has resident; null: unknown. */
  memoryBytes(): Promise<number | null>;
  /** Its part on a graphics card, as its output tells, which may be no layer; null: it does not tell. */
  readonly cardUse: CardUse | null;
  /** The processor time that it has used since its start, in seconds, of all its processes and threads; null: unknown. */
  cpuSeconds(): Promise<number | null>;
  /** The newest lines of its output, oldest first, at most 1,000. */
  readonly log: readonly string[];
  /** SIGTERM, after a grace SIGKILL. Resolves once every process of it is gone, and its container is removed. */
  stop(): Promise<void>;
}
