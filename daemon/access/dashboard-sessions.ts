import type { AccessTokens } from './access-tokens.ts';
import { type Caller, mayDeploy } from './caller.ts';
import { InvalidToken } from './errors.ts';
import { findBySecret, hashOf, newSecret } from './secret.ts';

interface Session {
  readonly hash: string;
  /** The token that it was opened with and ends with; null: it is the dashboard's own. */
  readonly tokenId: string | null;
}

const MAX_CODES = 8;
const MAX_SESSIONS = 100;

/** Who it is that looks at the dashboard of this machine's own user. */
const dashboard: Caller = {
  kind: 'session',
  id: 'dashboard',
  name: 'dashboard',
  scopes: ['deploy'],
  namespaces: null,
};

/**
 * The dashboards that may deploy, for as long as this daemon runs. Each shows a secret of its own, opened with a code
 * that is good for one time, with a token, or by the desktop program for its window. Nothing of it is ever on the disk.
 */
export class DashboardSessions {
  readonly #tokens: Pick<AccessTokens, 'verify' | 'get'>;
  #codes: { readonly hash: string }[] = [];
  /** The one that was used last is last. */
  #sessions: Session[] = [];

  constructor(tokens: Pick<AccessTokens, 'verify' | 'get'>) {
    this.#tokens = tokens;
  }

  /** A code for one session. Past 8 that nobody has used, the oldest is forgotten. */
  newCode(): string {
    const code = newSecret();
    this.#codes = [...this.#codes, { hash: hashOf(code) }].slice(-MAX_CODES);
    return code;
  }

  /** @returns the secret of a new session; null for a code that was used, or never given */
  exchange(code: string): string | null {
    const known = findBySecret(this.#codes, code);
    if (!known) return null;
    this.#codes = this.#codes.filter((one) => one !== known);
    return this.open();
  }

  /** Opens a session of this machine's own user. @returns its secret */
  open(): string {
    return this.#open(null);
  }

  /** @returns the secret of a session that may do what the token may. @throws InvalidToken */
  async openWithToken(text: string): Promise<string> {
    const token = await this.#tokens.verify(text);
    if (!token || !mayDeploy(token)) throw new InvalidToken();
    return this.#open(token.id);
  }

  /** @returns null for a session that has ended, or whose token was revoked */
  async callerOf(secret: string): Promise<Caller | null> {
    const session = findBySecret(this.#sessions, secret);
    if (!session) return null;
    this.#sessions = [...this.#sessions.filter((one) => one !== session), session];
    if (session.tokenId === null) return dashboard;
    const token = await this.#tokens.get(session.tokenId);
    return token && { kind: 'session', ...token };
  }

  end(secret: string): void {
    const ended = findBySecret(this.#sessions, secret);
    this.#sessions = this.#sessions.filter((one) => one !== ended);
  }

  #open(tokenId: string | null): string {
    const secret = newSecret();
    this.#sessions = [...this.#sessions, { hash: hashOf(secret), tokenId }].slice(-MAX_SESSIONS);
    return secret;
  }
}
