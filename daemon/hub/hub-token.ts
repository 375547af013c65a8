import { rm } from 'node:fs/promises';
import * as z from 'zod';
import type { HubAccount } from '../contract/store.ts';
import type { Publish } from '../shared/event-bus.ts';
import { InvalidBody } from '../shared/invalid-input.ts';
import { readJsonFile, writeJsonFile } from '../shared/json-file.ts';
import type { Logger } from '../shared/logger.ts';
import type { SecretStore } from '../shared/secret-store.ts';
import { HubTrouble } from './errors.ts';
import { timeLimit } from './time-limit.ts';

/** The account's name is kept too, so that a start need ask nobody. */
const Kept = z.object({ hub: z.string(), name: z.string(), sealed: z.string() });
type Kept = z.infer<typeof Kept>;

const SIGN_IN_MS = 30_000;

export interface HubTokenDeps {
  /** Where the token is kept, encrypted. */
  readonly file: string;
  /** The hub's address where it was chosen; null: the library knows it. */
  readonly hubUrl: string | null;
  readonly address: () => Promise<string>;
  readonly whoAmI: (token: string, signal: AbortSignal) => Promise<string>;
  readonly secrets: SecretStore;
  /** Told after another account, or none, is signed in. */
  readonly onChanged: () => void;
  readonly publish: Publish;
  readonly log: Logger;
}

/** The one token of the hub that is kept on this machine, for one hub, and whose it is. */
export class HubToken {
  readonly #deps: HubTokenDeps;
  #kept: Kept | null = null;
  #opened: Promise<string | null> | null = null;
  #problem: string | null = null;
  #hub: string;
  #change: Promise<unknown> = Promise.resolve();

  constructor(deps: HubTokenDeps) {
    this.#deps = deps;
    this.#hub = deps.hubUrl ?? '';
  }

  /** As far as it is known without asking anybody: the hub's address is empty until its library has been loaded. */
  get account(): HubAccount {
    return { hub: this.#hub, name: this.#kept?.name ?? null, problem: this.#problem };
  }

  async load(): Promise<void> {
    const { file, hubUrl, log } = this.#deps;
    const kept = await readJsonFile(file, Kept).catch((error: unknown) => {
      log.error('hub: the token that is kept cannot be read', error);
      return null;
    });
    if (kept && (hubUrl === null || kept.hub === hubUrl)) this.#kept = kept;
  }

  /** The account, with the address of the hub. */
  async read(): Promise<HubAccount> {
    await this.#learnHub();
    return this.account;
  }

  /** The token; null: there is none for this hub, or it can no longer be read. */
  async value(): Promise<string | null> {
    await this.#learnHub();
    if (!this.#kept) return null;
    this.#opened ??= this.#deps.secrets.decrypt(this.#kept.sealed).catch((error: Error) => {
      this.#fail(error.message);
      return null;
    });
    return this.#opened;
  }

  /**
   * Keeps a token, once the hub has said whose it is.
   * @throws InvalidBody when the hub does not know it, HubTrouble
   */
  async signIn(given: string): Promise<HubAccount> {
    const token = given.trim();
    const name = await this.#nameOf(token);
    const hub = await this.#learnHub();
    return this.#setKept({ hub, name, sealed: await this.#deps.secrets.encrypt(token) }, token);
  }

  /** Forgets the token. */
  async signOut(): Promise<HubAccount> {
    await this.#learnHub();
    return this.#setKept(null, null);
  }

  /** The hub has said that it does not know the token. */
  async refused(token: string): Promise<void> {
    if (this.#kept && (await this.#opened) === token) this.#fail('The hub does not accept the token any more.');
  }

  async #nameOf(token: string): Promise<string> {
    const refuse = (message: string) =>
      new InvalidBody('This is not a token of the hub.', [{ path: ['token'], message }]);
    if (!/^[\x21-\x7e]+$/.test(token)) throw refuse('it holds a character that no token has');
    using limit = timeLimit(SIGN_IN_MS);
    try {
      return await this.#deps.whoAmI(token, limit.signal);
    } catch (error) {
      if (error instanceof HubTrouble && error.kind === 'auth') throw refuse('the hub does not know it');
      throw error;
    }
  }

  /** A token is for the hub that it was given for: another one must not see it. */
  async #learnHub(): Promise<string> {
    const hub = await this.#deps.address();
    if (this.#hub !== hub) {
      this.#hub = hub;
      if (this.#kept && this.#kept.hub !== hub) this.#kept = null;
      this.#publish();
    }
    return hub;
  }

  /** One change after the other, so that the file and what is known agree. */
  #setKept(kept: Kept | null, token: string | null): Promise<HubAccount> {
    const { file, onChanged } = this.#deps;
    const change = this.#change.then(async () => {
      if (kept) await writeJsonFile(file, kept);
      else await rm(file, { force: true });
      this.#kept = kept;
      this.#opened = Promise.resolve(token);
      this.#problem = null;
      this.#publish();
      onChanged();
      return this.account;
    });
    this.#change = change.catch(() => {});
    return change;
  }

  #fail(problem: string): void {
    if (this.#problem === problem) return;
    this.#problem = problem;
    this.#deps.log.warn(`hub: ${problem}`);
    this.#publish();
  }

  #publish(): void {
    this.#deps.publish({ type: 'hub-account.changed', hubAccount: this.account });
  }
}
