import { rm } from 'node:fs/promises';
import * as z from 'zod';
import type { HubAccount } from '../contract/apps/store.ts';
import type { Publish } from '../shared/async/event-bus.ts';
import { Mutex } from '../shared/async/mutex.ts';
import { readStoredFile, writeJsonFile } from '../shared/files/json-file.ts';
import { SecretUnreadable } from '../shared/files/key-file-secret-store.ts';
import type { SecretStore } from '../shared/files/secret-store.ts';
import type { Logger } from '../shared/logger.ts';
import { hubAddress } from './hub-address.ts';

/** Includes the account's name, so that a start needs no request. */
export const StoredToken = z.object({ hub: z.string(), name: z.string(), sealed: z.string() });
type StoredToken = z.infer<typeof StoredToken>;

interface HubTokenDeps {
  readonly file: string;
  /** The configured address of the hub; null: the default of the library. */
  readonly hubUrl: string | null;
  readonly secrets: SecretStore;
  readonly publish: Publish;
  readonly log: Logger;
}

/** The stored token of one hub, with the name of its account. */
export class HubToken {
  readonly #deps: HubTokenDeps;
  #stored: StoredToken | null = null;
  #opened: Promise<string | null> | null = null;
  #problem: string | null = null;
  #hub: string;
  readonly #changes = new Mutex();

  constructor(deps: HubTokenDeps) {
    this.#deps = deps;
    this.#hub = deps.hubUrl ?? '';
  }

  /** The account without loading the hub's library; the default address is empty until the library is loaded. */
  get account(): HubAccount {
    return { hub: this.#hub, name: this.#stored?.name ?? null, problem: this.#problem };
  }

  async load(): Promise<void> {
    const { file, hubUrl, log } = this.#deps;
    const found = await readStoredFile(file, StoredToken, log).catch((error: unknown) => {
      log.error('hub: the stored token could not be read', error);
      return null;
    });
    const stored = found?.value;
    if (stored && (hubUrl === null || stored.hub === hubUrl)) this.#stored = stored;
  }

  /** The account, with the address of the hub. */
  async read(): Promise<HubAccount> {
    await this.#loadAddress();
    return this.account;
  }

  /** The token; null when there is none for this hub, or it cannot be decrypted. */
  async value(): Promise<string | null> {
    await this.#loadAddress();
    if (!this.#stored) return null;
    this.#opened ??= this.#deps.secrets.decrypt(this.#stored.sealed).catch((error: Error) => {
      const isLost = error instanceof SecretUnreadable;
      if (!isLost) this.#opened = null; // the key may not be read now: the next call tries again
      this.#fail(isLost ? 'The saved token can no longer be read. Sign in again.' : error.message);
      return null;
    });
    return this.#opened;
  }

  /** Stores a token and replaces the last one. @param name of its account */
  async keep(token: string, name: string): Promise<HubAccount> {
    const hub = await this.#loadAddress();
    return this.#setToken({ hub, name, sealed: await this.#deps.secrets.encrypt(token) }, token);
  }

  async forget(): Promise<HubAccount> {
    await this.#loadAddress();
    return this.#setToken(null, null);
  }

  async refused(token: string): Promise<void> {
    if (this.#stored && (await this.#opened) === token) this.#fail('The hub no longer accepts the token.');
  }

  /** Loads the hub's address, and drops a token of another hub, which must not receive it. */
  async #loadAddress(): Promise<string> {
    const hub = await hubAddress(this.#deps.hubUrl);
    if (this.#hub !== hub) {
      this.#hub = hub;
      if (this.#stored && this.#stored.hub !== hub) this.#stored = null;
      this.#publish();
    }
    return hub;
  }

  /** Changes run one at a time, so that file and memory agree. */
  #setToken(stored: StoredToken | null, token: string | null): Promise<HubAccount> {
    const { file } = this.#deps;
    return this.#changes.run(async () => {
      if (stored) await writeJsonFile(file, stored);
      else await rm(file, { force: true });
      this.#stored = stored;
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
