import { DomainError } from '../shared/domain-error.ts';

/**
 * Why an image could not be downloaded. `missing`: the registry has no such image, or not for this machine's processor.
 * `unauthorized`: it wants an account, or another one. `limited`: it allows no more downloads for now. `stalled`: nothing
 * came for a long time.
 */
export type PullProblem =
  | 'name'
  | 'missing'
  | 'unauthorized'
  | 'limited'
  | 'unreachable'
  | 'disk-full'
  | 'stalled'
  | 'other';

/** An image could not be downloaded. `action` is the one thing to do. */
export class ImagePullFailed extends DomainError {
  readonly kind: PullProblem;
  readonly action: string;

  constructor(kind: PullProblem, message: string, action: string) {
    super(message);
    this.kind = kind;
    this.action = action;
  }
}

/**
 * Why a container could not be started. `image`: it is not on this machine. `command`: its program cannot be run. `gpu`:
 * the engine gives it no graphics card. `mount`: a folder cannot be mounted. `limit`: the engine refuses a limit.
 */
export type StartProblem = 'image' | 'command' | 'gpu' | 'mount' | 'limit' | 'port' | 'disk-full' | 'other';

/** A container could not be created or started. Nothing of it is left. `action` is the one thing to do. */
export class ContainerStartFailed extends DomainError {
  readonly kind: StartProblem;
  readonly action: string;
  /** The engine's own words, for developers. */
  readonly evidence: string;

  constructor(kind: StartProblem, message: string, action: string, evidence: string) {
    super(message);
    this.kind = kind;
    this.action = action;
    this.evidence = evidence;
  }
}

/** The program that runs containers does not answer. `action` is the one thing to do. */
export class ContainerEngineGone extends DomainError {
  readonly action = 'Start it again.';

  /** @param label of the engine, such as "Podman 4.3.1" */
  constructor(label: string) {
    super(`${label} does not answer.`);
  }
}
