import type { Account } from '../contract/operations/catalog-operations.ts';
import type { Session } from '../contract/session.ts';
import type { AccessToken } from './access-tokens.ts';

/** A program or person, authenticated by a token, a dashboard session, or the token of a run. */
export interface Caller {
  /**
   * `terminal`: a command of this machine's own user. `run`: a running app, which may use the endpoints of its scopes, from
   * this machine only.
   */
  readonly kind: 'token' | 'session' | 'terminal' | 'run';
  /** The token's id, also for a session opened with a token; `dashboard` and `terminal` of this machine's own user. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Whether it is the desktop program's own window. */
  readonly isWindow?: true;
  /** The namespaces that the caller may deploy to; null: all. */
  readonly namespaces: readonly string[] | null;
  /** Whether a run may wake an endpoint that costs money: its start was confirmed with the price. Others may. */
  readonly mayWakePaid?: boolean;
  /** Aborted when a run ends, and with it its requests. */
  readonly ended?: AbortSignal;
}

/** The id of a dashboard of this machine's own user. */
export const DASHBOARD = 'dashboard';

/** Whether it is this machine's own user: a command of the terminal, or a dashboard that was signed in without a token. */
export function isOwnUser({ kind, id }: Caller): boolean {
  return kind === 'terminal' || (kind === 'session' && id === DASHBOARD);
}

export function tokenCaller(token: AccessToken): Caller {
  return token.ofTerminal
    ? { ...token, kind: 'terminal', id: 'terminal', name: 'terminal' }
    : { ...token, kind: 'token' };
}

/** Whether the caller's secret is known on this machine only: no other machine has it to send. */
export function isOfThisMachine({ kind, isWindow }: Caller): boolean {
  return kind === 'run' || kind === 'terminal' || isWindow === true;
}

const DEFAULT_NAMESPACE = 'local';

/** Whether the caller may see and change endpoints, within its `namespaces`. */
export function mayDeploy({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return scopes.includes('deploy');
}

/** @param caller null for a stranger */
export function sessionOf(caller: Caller | null): Session {
  const stranger = { signedIn: false, namespaces: [], namespace: DEFAULT_NAMESPACE, isOwnUser: false };
  if (!caller || !mayDeploy(caller)) return stranger;
  const namespaces = caller.namespaces && [...caller.namespaces];
  return { signedIn: true, namespaces, namespace: namespaceOf(caller), isOwnUser: isOwnUser(caller) };
}

export function accountOf(caller: Caller): Account {
  const name = namespaceOf(caller);
  const others = caller.namespaces?.filter((namespace) => namespace !== name) ?? [];
  return { type: 'user', id: caller.id, name, fullname: caller.name, orgs: others.map((other) => ({ name: other })) };
}

function namespaceOf({ namespaces }: Caller): string {
  return namespaces?.[0] ?? DEFAULT_NAMESPACE;
}
