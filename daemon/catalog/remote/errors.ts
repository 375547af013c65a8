import type { Issue } from '../../contract/common/common.ts';
import { secondsText } from '../../shared/async/deadline.ts';
import { DomainError } from '../../shared/domain-error.ts';

/**
 * About the request: `rejected` (see `issues`), `not-found`, `conflict`.
 * About the service: `auth`, the stored token is missing or not accepted; `busy`, too many requests; `server-error`;
 * `unreachable`, the request was not sent; `interrupted`, the service fell silent or the connection broke;
 * `invalid-answer`.
 * `outcome-unknown`: the request was to create an endpoint, and it is unknown whether the service did.
 */
export type RemoteFailureKind =
  | 'rejected'
  | 'not-found'
  | 'conflict'
  | 'auth'
  | 'busy'
  | 'server-error'
  | 'unreachable'
  | 'interrupted'
  | 'invalid-answer'
  | 'outcome-unknown';

interface Details {
  readonly issues?: readonly Issue[];
  readonly retryAfter?: string | null;
  readonly cause?: unknown;
}

/**
 * A request to the remote catalog failed; the message is for people. The daemon answers the first three kinds with the
 * service's own 400, 404 and 409, `outcome-unknown` with 504, and all others with 502: nothing was created, and a refused
 * token is the daemon's, not the caller's.
 */
export class RemoteCatalogFailed extends DomainError {
  readonly kind: RemoteFailureKind;
  /** The issues of the request body that the service reported. */
  readonly issues: readonly Issue[];
  /** The service's `retry-after` header. */
  readonly retryAfter: string | null;
  constructor(kind: RemoteFailureKind, message: string, { issues = [], retryAfter = null, cause }: Details = {}) {
    super(message, { cause });
    this.kind = kind;
    this.issues = issues;
    this.retryAfter = retryAfter;
  }
}

export function serviceTooSlow(limitMs: number): RemoteCatalogFailed {
  return new RemoteCatalogFailed(
    'interrupted',
    `The catalog service did not finish its answer within ${secondsText(limitMs)}.`,
  );
}

/** The error of a deploy that may have succeeded. It must not be repeated: that could create two endpoints. */
export function outcomeUnknown(why: string, name: string, cause?: unknown): RemoteCatalogFailed {
  const unknown = `It is unknown whether "${name}" was created. Check the service before you try again.`;
  return new RemoteCatalogFailed('outcome-unknown', `${why} ${unknown}`, { cause });
}
