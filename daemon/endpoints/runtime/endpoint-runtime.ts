import type { GgufFacts } from '../../contract/model-files/model-files.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import type { OnReplicaLine } from './replica-log.ts';

/** The files of a model on this machine: absolute paths, checked before each start. */
export interface LocalModel {
  readonly modelPath: string;
  /** The vision file; null: none. */
  readonly mmprojPath: string | null;
  /** The draft model for speculative decoding; null: none. */
  readonly draftPath: string | null;
  /** Of the model itself. */
  readonly facts: GgufFacts;
}

export interface ReplicaSpec {
  readonly parts: EndpointParts;
  readonly model: LocalModel;
  /** The endpoint's variables and its decrypted secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** The path of the Unix socket to listen on: unused so far, in a folder that exists and that only this user can enter. */
  readonly socketPath: string;
  /** The most CPU threads that it may use. */
  readonly threads: number;
  /** Gets each line of its output. */
  readonly onLine?: OnReplicaLine;
}

/** A program that serves models on this machine. */
export interface EndpointRuntime {
  /** Its name for people, with its version. */
  readonly label: string;
  /** Why it cannot run an endpoint, in one sentence; null: it can. */
  unsuitable(parts: EndpointParts): string | null;
  /** Starts one replica. It is not healthy yet. @throws the system's error when the program could not start */
  start(spec: ReplicaSpec): Promise<Replica>;
}

/** A running process that serves an endpoint. */
export interface Replica {
  readonly pid: number;
  readonly socketPath: string;
  /** Resolves when it has ended. Never rejects. */
  readonly exited: Promise<ReplicaExit>;
  /** Whether its health route answers 200 now. Never rejects; answers within 5 s. */
  isHealthy(): Promise<boolean>;
  /** The memory that it has resident; null: unknown. */
  memoryBytes(): Promise<number | null>;
  /** The newest lines of its output, oldest first, at most 1,000. */
  readonly log: readonly string[];
  /** SIGTERM, after 3 s SIGKILL. Resolves once every process of it is gone. */
  stop(): Promise<void>;
}

export interface ReplicaExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether `stop` ended it. */
  readonly isStopped: boolean;
}
