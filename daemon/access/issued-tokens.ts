import type { IssuedToken, NewToken, NewTokenRequest } from '../contract/tokens.ts';
import type { AccessToken, AccessTokens } from './access-tokens.ts';
import type { DashboardSessions } from './dashboard-sessions.ts';
import type { TokenUses } from './token-uses.ts';

interface IssuedTokensDeps {
  readonly tokens: Pick<AccessTokens, 'list' | 'create' | 'revoke'>;
  readonly uses: Pick<TokenUses, 'load' | 'lastUse'>;
  readonly sessions: Pick<DashboardSessions, 'endOfToken'>;
}

/** The tokens as the owner of this machine sees and changes them, without those that commands lend to themselves. */
export class IssuedTokens {
  readonly #deps: IssuedTokensDeps;

  constructor(deps: IssuedTokensDeps) {
    this.#deps = deps;
  }

  /** Reads when they were used. */
  load(): Promise<void> {
    return this.#deps.uses.load();
  }

  /** Newest first. @throws TokensUnreadable */
  async list(): Promise<IssuedToken[]> {
    const all = await this.#deps.tokens.list();
    return all
      .filter(({ ofTerminal }) => ofTerminal !== true)
      .map((token) => this.#shown(token))
      .reverse();
  }

  /** @throws TokenNameTaken, TooManyTokens, TokensUnreadable, TokensUnwritable, TokensBusy */
  async create({ name, scopes, namespaces }: NewTokenRequest): Promise<NewToken> {
    const request = { name: name ?? null, scopes, namespaces: namespaces ?? null };
    const { text, token } = await this.#deps.tokens.create(request);
    return { text, token: this.#shown(token) };
  }

  /** Ends its sessions, too. @returns the others. @throws TokenNotFound, and as of `create` */
  async revoke(id: string): Promise<IssuedToken[]> {
    const revoked = await this.#deps.tokens.revoke(id); // also by its name
    await this.#deps.sessions.endOfToken(revoked.id);
    return this.list();
  }

  #shown({ id, name, scopes, namespaces, createdAt }: AccessToken): IssuedToken {
    return { id, name, scopes, namespaces, createdAt, lastUsedAt: this.#deps.uses.lastUse(id) };
  }
}
