import {
  ContainerEngineGone,
  ContainerStartFailed,
  ImagePullFailed,
  type StartProblem,
} from '../../containers/errors.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { HubError } from '../../hub/errors.ts';
import { ModelFileError, type ModelFileErrorKind } from '../../model-files/errors.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { SecretKeyUnavailable } from '../../shared/files/key-file-secret-store.ts';
import { StorageError } from '../../shared/files/storage-errors.ts';
import { EndpointSecretsUnreadable } from '../records/endpoint-secrets.ts';

/** Ends the start of an endpoint, with the cause and the action for people. */
export class EndpointFailed extends DomainError {
  readonly failure: EndpointFailure;

  constructor(failure: Omit<EndpointFailure, 'evidence'> & { readonly evidence?: readonly string[] }) {
    super(failure.message);
    this.failure = { ...failure, evidence: [...(failure.evidence ?? [])] };
  }
}

const reasonsOfFiles: Readonly<Record<ModelFileErrorKind, EndpointFailure['reason']>> = {
  missing: 'model-missing',
  unreadable: 'model-missing',
  ambiguous: 'invalid-setting',
  'not-gguf': 'model-damaged',
  truncated: 'model-damaged',
};

/** All others are the container engine's. */
const reasonsOfContainers: Readonly<Partial<Record<StartProblem, EndpointFailure['reason']>>> = {
  image: 'image',
  command: 'invalid-setting',
  'disk-full': 'disk-full',
};

/** The failure for an error with a known cause; null: the error is a bug. */
export function knownFailure(error: unknown): EndpointFailure | null {
  if (error instanceof EndpointFailed) return error.failure;
  const reason = reasonOf(error);
  if (reason === null) return null;
  const { message, action } = error as Error & { readonly action: string };
  return {
    reason,
    message,
    action: withResume(action),
    evidence: error instanceof ContainerStartFailed ? [error.evidence] : [],
  };
}

/**
 * The failure of a change, with an action that is possible then: the previous version runs, so that there is nothing to
 * resume. A pause ends it.
 */
export function updateFailure(failure: EndpointFailure): EndpointFailure {
  const action = failure.action
    .replace(/\bresume (it|the endpoint)\b/g, 'pause and resume $1')
    .replace(/\bResume (it|the endpoint)\b/g, 'Pause and resume $1');
  return { ...failure, action };
}

/** The action of an error that other work has too, which is tried again; an endpoint is resumed. */
function withResume(action: string): string {
  return action.replace(/\btry again\b/g, 'resume the endpoint').replace(/\bTry again\b/g, 'Resume the endpoint');
}

function reasonOf(error: unknown): EndpointFailure['reason'] | null {
  if (error instanceof ModelFileError) return reasonsOfFiles[error.kind];
  if (error instanceof StorageError) return error.code;
  if (error instanceof ImagePullFailed) return error.kind === 'disk-full' ? 'disk-full' : 'image';
  if (error instanceof ContainerStartFailed) return reasonsOfContainers[error.kind] ?? 'container-engine';
  if (error instanceof ContainerEngineGone) return 'container-engine';
  if (error instanceof HubError) return error.kind === 'auth' || error.kind === 'not-found' ? 'hub-access' : 'hub';
  const isSecret = error instanceof EndpointSecretsUnreadable || error instanceof SecretKeyUnavailable;
  return isSecret ? 'secret-unreadable' : null;
}

/** The failure for an error that is a bug. */
export function unexpectedFailure(error: unknown): EndpointFailure {
  return {
    reason: 'internal',
    message: `The start failed unexpectedly: ${(error as Error).message}`,
    action: 'Resume the endpoint. If it happens again, report it with the log of the daemon.',
    evidence: [],
  };
}
