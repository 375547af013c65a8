import { rm } from 'node:fs/promises';
import * as z from 'zod';
import type { HubAccount } from '../contract/apps/store.ts';
import type { Publish } from '../shared/async/event-bus.ts';
import { Turn } from '../shared/async/turns.ts';
import { readJsonFile, writeJsonFile } from '../shared/files/json-file.ts';
import type { SecretStore } from '../shared/files/secret-store.ts';
import type { Logger } from '../shared/logger.ts';
import { hubAddress } from './hub-address.ts';

/** The account's name is kept too, so that a start need ask nobody. */
const Kept = z.object({ hub: z.string(), name: z.string(), sealed: z.string() });
type Kept = z.infer<typeof Kept>;

export interface HubTokenDeps {
  /** Where the token is kept, encrypted. */
  readonly file: string;
  /** The hub's address where it was chosen; null: the library knows it. */
  readonly hubUrl: string | null;
  readonly secrets: SecretStore;
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
  readonly #changes = new Turn();

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

  /** Keeps a token in place of the one before. @param name of the account that it belongs to */
  async keep(token: string, name: string): Promise<HubAccount> {
    const hub = await this.#learnHub();
    return this.#setKept({ hub, name, sealed: await this.#deps.secrets.encrypt(token) }, token);
  }

  /** Forgets the token. */
  async forget(): Promise<HubAccount> {
    await this.#learnHub();
    return this.#setKept(null, null);
  }

  /** The hub has said that it does not know the token. */
  async refused(token: string): Promise<void> {
    if (this.#kept && (await this.#opened) === token) this.#fail('The hub does not accept the token any more.');
  }

  /** A token is for the hub that it was given for: another one must not see it. */
  async #learnHub(): Promise<string> {
    const hub = await hubAddress(this.#deps.hubUrl);
    if (this.#hub !== hub) {
      this.#hub = hub;
      if (this.#kept && this.#kept.hub !== hub) this.#kept = null;
      this.#publish();
    }
    return hub;
  }

  /** One change after the other, so that the file and what is known agree. */
  #setKept(kept: Kept | null, token: string | null): Promise<HubAccount> {
    const { file } = this.#deps;
    return this.#changes.run(async () => {
      if (kept) await writeJsonFile(file, kept);
      else await rm(file, { force: true });
      this.#kept = kept;
      this.#opened = Promise.resolve(token);
      this.#problem = null;
      this.#publish();
      return this.account;
    });
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
