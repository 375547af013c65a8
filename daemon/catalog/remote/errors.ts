import type { Issue } from '../../contract/common/common.ts';
import { inSeconds } from '../../shared/async/deadline.ts';
import { DomainError } from '../../shared/domain-error.ts';

/**
 * About what was asked for: `rejected` (see `issues`), `not-found`, `conflict`.
 * About the service: `auth`, it wants another token than the one that is kept, or one at all; `busy`, it was asked too
 * often; `out-of-order`; `unreachable`, the request did not get there; `broken-off`, it fell silent or the connection broke;
 * `not-understood`, an answer that is none.
 * `outcome-unknown`: it was asked to make an endpoint, and nobody knows whether it did.
 */
export type RemoteTroubleKind =
  | 'rejected'
  | 'not-found'
  | 'conflict'
  | 'auth'
  | 'busy'
  | 'out-of-order'
  | 'unreachable'
  | 'broken-off'
  | 'not-understood'
  | 'outcome-unknown';

interface Details {
  readonly issues?: readonly Issue[];
  readonly retryAfter?: string | null;
  readonly cause?: unknown;
}

/**
 * The remote catalog does not give what it was asked for; the message says why, for a person. To whoever asked us, the
 * first three kinds are 400, 404 and 409 as they were to us, and `outcome-unknown` is 504. All others are 502, and nothing
 * was made: a token that the service refuses is ours, not the caller's.
 */
export class RemoteCatalogTrouble extends DomainError {
  readonly kind: RemoteTroubleKind;
  /** What is wrong with the body, as far as the service told. */
  readonly issues: readonly Issue[];
  /** The service's header, where it said when to come again. */
  readonly retryAfter: string | null;
  constructor(kind: RemoteTroubleKind, message: string, { issues = [], retryAfter = null, cause }: Details = {}) {
    super(message, { cause });
    this.kind = kind;
    this.issues = issues;
    this.retryAfter = retryAfter;
  }
}

export function serviceTooSlow(limitMs: number): RemoteCatalogTrouble {
  return new RemoteCatalogTrouble('broken-off', `The catalog service takes too long: more than ${inSeconds(limitMs)}.`);
}

/** It cannot be asked twice: a deploy that is done twice makes two endpoints. */
export function outcomeUnknown(why: string, name: string, cause?: unknown): RemoteCatalogTrouble {
  const unknown = `It is not known whether "${name}" was created. Look there before you try again.`;
  return new RemoteCatalogTrouble('outcome-unknown', `${why} ${unknown}`, { cause });
}
