import { rm } from 'node:fs/promises';
import type { CatalogSourceStatus } from '../../contract/catalog/models.ts';
import type { Publish } from '../../shared/async/event-bus.ts';
import { lazy } from '../../shared/async/lazy.ts';
import { Mutex } from '../../shared/async/mutex.ts';
import type { Clock } from '../../shared/clock.ts';
import { ShuttingDown } from '../../shared/domain-error.ts';
import type { SecretStore } from '../../shared/files/secret-store.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Catalog } from '../catalog.ts';
import { RemoteCatalogFailed } from './errors.ts';
import { defaultTiming, RemoteCatalog, type RemoteTiming } from './remote-catalog.ts';
import { baseAddress, type Dialect, type RemoteChoice, readRemoteChoice, writeRemoteChoice } from './remote-choice.ts';
import { defaultDeadlines, RemoteClient, type RemoteDeadlines } from './remote-client.ts';

export interface ChosenCatalogDeps {
  /** Loads the catalog shipped with the daemon, used unless another is chosen. @throws CatalogUnavailable */
  readonly shipped: () => Promise<Catalog>;
  /** Stores the choice, with the encrypted token. */
  readonly choiceFile: string;
  /** Stores the copy of the remote catalog. */
  readonly copyFile: string;
  readonly secrets: SecretStore;
  /** Whether an address is this daemon's own: it would request from itself endlessly. */
  readonly isOwn: (base: URL) => boolean;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly log: Logger;
  readonly deadlines?: Partial<RemoteDeadlines>;
  readonly timing?: Partial<RemoteTiming>;
}

/** A request to use a remote catalog. */
interface WantedCatalog {
  /** Ends in `/api/v1`. */
  readonly url: string;
  /** Absent: the token stored for that address, if any. */
  readonly token?: string | undefined;
  readonly dialect: Dialect;
}

interface Remote {
  readonly choice: RemoteChoice;
  readonly client: RemoteClient;
  readonly catalog: RemoteCatalog;
}

/** The catalog in use: the shipped one, or that of a chosen service. */
export class ChosenCatalog {
  readonly #deps: ChosenCatalogDeps;
  readonly #closing = new AbortController();
  #remote: Remote | null = null;
  #shippedTotal = 0;
  readonly #changes = new Mutex();
  /** Aborts the choice in progress when another is made. */
  #choosing = new AbortController();

  constructor(deps: ChosenCatalogDeps) {
    this.#deps = deps;
  }

  get kind(): CatalogSourceStatus['kind'] {
    return this.#remote ? 'remote' : 'embedded';
  }

  /** The number of models is known once they are loaded. */
  get status(): CatalogSourceStatus {
    return {
      kind: this.kind,
      url: this.#remote?.choice.base ?? null,
      hasToken: (this.#remote?.choice.sealedToken ?? null) !== null,
      fetchedAt: this.#remote?.catalog.fetchedAt ?? null,
      problem: this.#remote?.catalog.problem ?? null,
      total: this.#remote?.catalog.total ?? this.#shippedTotal,
    };
  }

  /** The client of the remote service; null: the shipped catalog is in use. */
  get client(): RemoteClient | null {
    return this.#remote?.client ?? null;
  }

  /** Reads the stored choice; makes no request. */
  async open(): Promise<void> {
    const choice = await readRemoteChoice(this.#deps.choiceFile, this.#deps.log);
    if (choice) this.#remote = this.#remoteOf(choice, this.#clientOf(choice));
  }

  /** @throws CatalogUnavailable */
  load(): Promise<Catalog> {
    return this.#remote?.catalog.load() ?? this.#loadShipped();
  }

  /** Requests the list from the service now. Never throws: the status has the problem. */
  async refresh(): Promise<CatalogSourceStatus> {
    await this.#remote?.catalog.refresh();
    return this.status;
  }

  /**
   * Uses a remote catalog, once its service has answered with its list.
   * @throws InvalidBody when the address or the token is unusable, RemoteCatalogFailed
   */
  async use({ url, token, dialect }: WantedCatalog): Promise<CatalogSourceStatus> {
    const base = baseAddress(url);
    if (this.#deps.isOwn(new URL(base))) throw refusal('url', "This is the daemon's own address.");
    const given = token?.trim();
    if (given !== undefined && !/^[\x21-\x7e]+$/.test(given)) {
      throw refusal('token', 'The token contains an invalid character.');
    }
    return this.#changeTo(async (signal) => {
      const storedToken = this.#remote?.choice.base === base ? this.#remote.choice.sealedToken : null;
      const sealedToken = given === undefined ? storedToken : await this.#deps.secrets.encrypt(given);
      const choice: RemoteChoice = { base, dialect, sealedToken };
      const client = this.#clientOf(choice);
      const list = await client.list(null, signal).catch((error: unknown) => {
        const isAuth = error instanceof RemoteCatalogFailed && error.kind === 'auth';
        throw isAuth ? refusal('token', error.message) : error;
      });
      await writeRemoteChoice(this.#deps.choiceFile, choice);
      await this.#remote?.catalog.close();
      this.#remote = this.#remoteOf(choice, client);
      await this.#remote.catalog.begin(list);
    });
  }

  /** Uses the shipped catalog again, and deletes the remote one's copy and token. */
  useShipped(): Promise<CatalogSourceStatus> {
    return this.#changeTo(async () => {
      await writeRemoteChoice(this.#deps.choiceFile, null);
      await this.#remote?.catalog.close();
      this.#remote = null;
      await rm(this.#deps.copyFile, { force: true });
      await this.#loadShipped().catch(() => {}); // `load` reports the error
    });
  }

  /** Aborts everything in progress. */
  async close(): Promise<void> {
    this.#closing.abort(new ShuttingDown());
    await this.#changes.idle();
    await this.#remote?.catalog.close();
  }

  async #loadShipped(): Promise<Catalog> {
    const catalog = await this.#deps.shipped();
    if (this.#shippedTotal !== catalog.size) {
      this.#shippedTotal = catalog.size;
      if (!this.#remote) this.#publish();
    }
    return catalog;
  }

  /** Changes run one after the other; a later one aborts an earlier one. */
  #changeTo(choose: (signal: AbortSignal) => Promise<void>): Promise<CatalogSourceStatus> {
    this.#choosing.abort(new RemoteCatalogFailed('interrupted', 'Another catalog was chosen meanwhile.'));
    this.#choosing = new AbortController();
    const { signal } = this.#choosing;
    return this.#changes.run(async () => {
      signal.throwIfAborted();
      await choose(signal);
      this.#publish();
      return this.status;
    });
  }

  #remoteOf(choice: RemoteChoice, client: RemoteClient): Remote {
    const { copyFile, clock, log, timing } = this.#deps;
    const onChanged = () => {
      if (this.#remote?.catalog === catalog) this.#publish();
    };
    const catalog: RemoteCatalog = new RemoteCatalog({
      client,
      base: choice.base,
      copyFile,
      onChanged,
      clock,
      log,
      timing: { ...defaultTiming, ...timing },
    });
    return { choice, client, catalog };
  }

  #clientOf({ base, dialect, sealedToken }: RemoteChoice): RemoteClient {
    const { secrets, deadlines, clock } = this.#deps;
    const opened = lazy(async () => (sealedToken === null ? null : secrets.decrypt(sealedToken)));
    const closing = this.#closing.signal;
    return new RemoteClient({
      base,
      dialect,
      token: opened,
      closing,
      clock,
      deadlines: { ...defaultDeadlines, ...deadlines },
    });
  }

  #publish(): void {
    this.#deps.publish({ type: 'catalog-source.changed', catalogSource: this.status });
  }
}

function refusal(member: 'url' | 'token', message: string): InvalidBody {
  return new InvalidBody(message, [{ path: [member], message }]);
}
