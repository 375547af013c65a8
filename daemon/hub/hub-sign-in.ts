import type { HubAccount } from '../contract/apps/store.ts';
import { deadline } from '../shared/async/deadline.ts';
import type { Clock } from '../shared/clock.ts';
import { InvalidBody } from '../shared/invalid-input.ts';
import { HubError, hubTooSlow } from './errors.ts';
import type { HubClient } from './hub-client.ts';
import type { HubToken } from './hub-token.ts';

const SIGN_IN_MS = 30_000;

interface HubSignInDeps {
  readonly hub: Pick<HubClient, 'whoAmI'>;
  readonly token: Pick<HubToken, 'read' | 'keep' | 'forget'>;
  /** The list of the hub's apps, which depends on the account. */
  readonly store: { accountChanged(): Promise<void> };
  readonly clock: Clock;
}

/** Signs the daemon in to an account of the hub, and signs it out. */
export class HubSignIn {
  readonly #deps: HubSignInDeps;

  constructor(deps: HubSignInDeps) {
    this.#deps = deps;
  }

  account(): Promise<HubAccount> {
    return this.#deps.token.read();
  }

  /**
   * Stores a token after the hub has confirmed its account.
   * @throws InvalidBody when the hub does not accept it, HubError
   */
  async signIn(given: string): Promise<HubAccount> {
    const { token, store } = this.#deps;
    const text = given.trim();
    const account = await token.keep(text, await this.#nameOf(text));
    void store.accountChanged();
    return account;
  }

  async signOut(): Promise<HubAccount> {
    const { token, store } = this.#deps;
    const account = await token.forget();
    void store.accountChanged();
    return account;
  }

  async #nameOf(token: string): Promise<string> {
    const refuse = (message: string) =>
      new InvalidBody('This is not a token of the hub.', [{ path: ['token'], message }]);
    if (!/^[\x21-\x7e]+$/.test(token)) throw refuse('it contains an invalid character');
    using limit = deadline(this.#deps.clock, SIGN_IN_MS, hubTooSlow);
    try {
      return (await this.#deps.hub.whoAmI(token, limit.signal)).name;
    } catch (error) {
      if (error instanceof HubError && error.kind === 'auth') throw refuse('the hub does not accept it');
      throw error;
    }
  }
}
