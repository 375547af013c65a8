import { inSeconds } from '../shared/async/deadline.ts';
import { DomainError } from '../shared/domain-error.ts';

/**
 * `unreachable`: no connection, or it broke. `auth`: the token does not count, or does not suffice. `not-found`: there is no
 * such thing, or whoever asks may not know of it. `broken`: an answer that is none. `stalled`: nothing came for too long.
 * `refused-address`: it leads where the daemon does not go.
 */
export type HubTroubleKind =
  | 'unreachable'
  | 'auth'
  | 'not-found'
  | 'rate-limited'
  | 'broken'
  | 'stalled'
  | 'refused-address';

/** The hub does not give what it was asked for. The message says why, `action` what to do, each for a person. */
export class HubTrouble extends DomainError {
  readonly kind: HubTroubleKind;
  readonly action: string;
  constructor(kind: HubTroubleKind, message: string, action: string = actions[kind], cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
    this.action = action;
  }
}

const actions: Readonly<Record<HubTroubleKind, string>> = {
  unreachable: 'Check the network, then try again.',
  auth: 'Sign in to the hub again.',
  'not-found': 'Check the name.',
  'rate-limited': 'Try again in some minutes.',
  broken: 'Try again later.',
  stalled: 'Check the network, then try again.',
  'refused-address': 'Check the address of the hub.',
};

export function hubTooSlow(limitMs: number): HubTrouble {
  return new HubTrouble('stalled', `The hub takes too long: more than ${inSeconds(limitMs)}.`);
}

/** What an answer other than success means. */
export function troubleOf(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  { what, isSignedIn }: { what: string; isSignedIn: boolean },
): HubTrouble {
  const code = headers.get('x-error-code');
  if (code === 'RevisionNotFound') {
    return new HubTrouble('not-found', `${what} has no such branch, tag or commit.`);
  }
  if (code === 'GatedRepo') {
    return new HubTrouble('auth', `${what} is given to some accounts only.`, "Ask for it on the hub's own page.");
  }
  // To those who do not say who they are, the hub tells what is private and what does not exist apart by nothing.
  if (status === 404 || code === 'RepoNotFound' || (status === 401 && !isSignedIn)) {
    return isSignedIn
      ? new HubTrouble('not-found', `The hub has no ${what} that this account may see.`)
      : new HubTrouble(
          'not-found',
          `The hub has no ${what}, or it is private.`,
          'Check the name. For a private app, sign in to the hub first.',
        );
  }
  switch (status) {
    case 401:
      return new HubTrouble('auth', 'The hub does not accept the token.');
    case 403:
      return new HubTrouble('auth', `The hub does not give ${what} to this account.`, 'Ask its owner for access.');
    case 429:
      return new HubTrouble('rate-limited', 'The hub was asked too often and wants us to wait.');
    default:
      return new HubTrouble('broken', `The hub is out of order (status ${status}).`);
  }
}
