import type { AccessTokens } from './access-tokens.ts';
import { type Caller, mayDeploy } from './caller.ts';
import { InvalidToken } from './errors.ts';
import { findBySecret, hashOf, newSecret } from './secret.ts';

interface Session {
  readonly hash: string;
  /** The token that opened the session; its revocation ends the session. null: the dashboard of this machine's user. */
  readonly tokenId: string | null;
}

const MAX_CODES = 8;
const MAX_SESSIONS = 100;

/** The caller for the dashboard of this machine's own user. */
const dashboard: Caller = {
  kind: 'session',
  id: 'dashboard',
  name: 'dashboard',
  scopes: ['deploy'],
  namespaces: null,
};

/**
 * The dashboard sessions that may deploy, until the daemon ends. A one-time code, a token or the desktop program opens
 * one; its secret identifies it. Nothing is saved on disk.
 */
export class DashboardSessions {
  readonly #tokens: Pick<AccessTokens, 'verify' | 'get'>;
  #codes: { readonly hash: string }[] = [];
  /** Least recently used first. */
  #sessions: Session[] = [];

  constructor(tokens: Pick<AccessTokens, 'verify' | 'get'>) {
    this.#tokens = tokens;
  }

  /** @returns a one-time code for a session. Of more than 8 unused codes, the oldest becomes invalid. */
  newCode(): string {
    const code = newSecret();
    this.#codes = [...this.#codes, { hash: hashOf(code) }].slice(-MAX_CODES);
    return code;
  }

  /** @returns the secret of a new session; null for a used or unknown code */
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

  /** @returns the secret of a session with the token's permissions. @throws InvalidToken */
  async openWithToken(text: string): Promise<string> {
    const token = await this.#tokens.verify(text);
    if (!token || !mayDeploy(token)) throw new InvalidToken();
    return this.#open(token.id);
  }

  /** @returns null for an ended session or a revoked token */
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
