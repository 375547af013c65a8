import type { HubAccount } from '../contract/apps/store.ts';
import { deadline } from '../shared/async/deadline.ts';
import { InvalidBody } from '../shared/invalid-input.ts';
import { HubTrouble, hubTooSlow } from './errors.ts';
import type { HubClient } from './hub-client.ts';
import type { HubToken } from './hub-token.ts';

const SIGN_IN_MS = 30_000;

export interface HubSignInDeps {
  readonly hub: Pick<HubClient, 'whoAmI'>;
  readonly token: Pick<HubToken, 'read' | 'keep' | 'forget'>;
  /** The copy of the hub's apps, which depends on the account. */
  readonly store: { accountChanged(): Promise<void> };
}

/** Signs the daemon in to an account of the hub, and out. */
export class HubSignIn {
  readonly #deps: HubSignInDeps;

  constructor(deps: HubSignInDeps) {
    this.#deps = deps;
  }

  /** The account, with the address of the hub. */
  account(): Promise<HubAccount> {
    return this.#deps.token.read();
  }

  /**
   * Keeps a token, once the hub has named its account.
   * @throws InvalidBody when the hub does not know it, HubTrouble
   */
  async signIn(given: string): Promise<HubAccount> {
    const { token, store } = this.#deps;
    const text = given.trim();
    const account = await token.keep(text, await this.#nameOf(text));
    void store.accountChanged();
    return account;
  }

  /** Forgets the token. */
  async signOut(): Promise<HubAccount> {
    const { token, store } = this.#deps;
    const account = await token.forget();
    void store.accountChanged();
    return account;
  }

  async #nameOf(token: string): Promise<string> {
    const refuse = (message: string) =>
      new InvalidBody('This is not a token of the hub.', [{ path: ['token'], message }]);
    if (!/^[\x21-\x7e]+$/.test(token)) throw refuse('it holds a character that no token has');
    using limit = deadline(SIGN_IN_MS, hubTooSlow);
    try {
      return await this.#deps.hub.whoAmI(token, limit.signal);
    } catch (error) {
      if (error instanceof HubTrouble && error.kind === 'auth') throw refuse('the hub does not know it');
      throw error;
    }
  }
}
