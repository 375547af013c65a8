import { secondsText } from '../shared/async/deadline.ts';
import { displayText } from '../shared/display-text.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { HubRepository } from './hub-address.ts';

/** The advice for each kind, unless there is more to say. */
const actions = {
  unreachable: 'Check the network, then try again.',
  auth: 'Sign in to the hub again.',
  'not-found': 'Check the name.',
  'rate-limited': 'Try again in some minutes.',
  broken: 'Try again later.',
  stalled: 'Check the network, then try again.',
  'refused-address': 'Check the address of the hub.',
  conflict: 'Try again.',
  refused: 'Change what the hub names, then try again.',
};

/**
 * `unreachable`: no connection, or a lost one. `auth`: the token is invalid or insufficient. `not-found`: it does not
 * exist or is hidden from this account. `broken`: an invalid answer. `stalled`: no data for too long.
 * `refused-address`: a forbidden address. `conflict`: it exists already, or has changed since. `refused`: the hub does not
 * accept what was sent.
 */
export type HubErrorKind = keyof typeof actions;

/** A request to the hub failed. `message` says why and `action` what to do, both for people. */
export class HubError extends DomainError {
  readonly kind: HubErrorKind;
  readonly action: string;
  constructor(kind: HubErrorKind, message: string, action: string = actions[kind], cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
    this.action = action;
  }
}

const MAX_REASON = 300;
/** Statuses of requests that the hub understands but does not accept. */
const refusals: ReadonlySet<number> = new Set([400, 402, 413, 422]);

export function hubTooSlow(limitMs: number): HubError {
  return new HubError('stalled', `The hub did not finish its answer within ${secondsText(limitMs)}.`);
}

/** The error for an answer that is not a success. */
export function hubErrorOf(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  {
    what,
    type,
    isSignedIn,
    writes = false,
  }: { what: string; type: HubRepository['type']; isSignedIn: boolean; writes?: boolean },
): HubError {
  const code = headers.get('x-error-code');
  if (code === 'RevisionNotFound') {
    return new HubError('not-found', `${capitalized(what)} has no such branch, tag or commit.`);
  }
  if (code === 'GatedRepo') {
    return new HubError(
      'auth',
      `${capitalized(what)} is restricted to some accounts.`,
      "Request access on the hub's website.",
    );
  }
  // Without a token, the hub answers the same for private and for missing repositories.
  if (status === 404 || code === 'RepoNotFound' || (status === 401 && !isSignedIn)) {
    return isSignedIn
      ? new HubError('not-found', `The hub has no ${what}, or this account may not see it.`)
      : new HubError(
          'not-found',
          `The hub has no ${what}, or it is private.`,
          `Check the name. For a private ${type === 'space' ? 'app' : type}, sign in to the hub first.`,
        );
  }
  const refusal = writes
    ? refusalOf(status, what, displayText(headers.get('x-error-message') ?? '', MAX_REASON))
    : null;
  if (refusal) return refusal;
  switch (status) {
    case 401:
      return new HubError('auth', 'The hub does not accept the token.');
    case 403:
      return new HubError('auth', `This account has no access to ${what}.`, 'Ask its owner for access.');
    case 429:
      return new HubError('rate-limited', 'The hub refuses further requests for now.', retryAdvice(headers));
    default:
      return new HubError('broken', `The hub has an internal problem (status ${status}).`);
  }
}

/** When a busy hub wants to be asked again, if it says so in seconds. */
function retryAdvice(headers: Pick<Headers, 'get'>): string | undefined {
  const after = /^\d{1,5}$/.exec(headers.get('retry-after') ?? '');
  return after ? `Try again in ${secondsText(Number(after[0]) * 1000)}.` : undefined;
}

/** @param reason the hub's own words; empty: it gave none */
function refusalOf(status: number, what: string, reason: string): HubError | null {
  const why = reason === '' ? '.' : `: ${reason.replace(/[.]*$/, '.')}`;
  if (status === 403) {
    return new HubError(
      'auth',
      `The hub does not let this account write to ${what}${why}`,
      "Create a token with write permission on the hub's website, or ask the owner for access.",
    );
  }
  if (status === 409) return new HubError('conflict', `${capitalized(what)} exists already.`);
  if (status === 412) return new HubError('conflict', `${capitalized(what)} has changed since it was read.`);
  return refusals.has(status)
    ? new HubError('refused', `The hub does not accept what was sent to ${what}${why}`)
    : null;
}

/**
 * The error of an operation of the hub's library: any that is no HubError is caused by the hub's answer.
 * @returns the reason of the signal once it is aborted
 */
export function toHubError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return error instanceof HubError ? error : unexpectedAnswer(error);
}

export function unexpectedAnswer(cause?: unknown): HubError {
  return new HubError(
    'broken',
    'The answer could not be read. It may come from a network that requires a sign-in instead of from the hub.',
    'Open the hub in a browser, then try again.',
    cause,
  );
}

const capitalized = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());
