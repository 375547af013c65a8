import { settlesWithin } from '../../shared/async/settles-within.ts';
import type { Clock } from '../../shared/clock.ts';
import { DomainError, ShuttingDown } from '../../shared/domain-error.ts';
import type { Logger } from '../../shared/logger.ts';
import { buildCatalog, type Catalog } from '../catalog.ts';
import { CatalogUnavailable } from '../errors.ts';
import type { RemoteClient, RemoteList } from './remote-client.ts';
import { type RemoteCopy, readRemoteCopy, writeRemoteCopy } from './remote-copy.ts';

export interface RemoteTiming {
  /** The age at which the copy is refreshed. */
  readonly staleMs: number;
  /** The pause before an automatic refresh after a failure. */
  readonly retryMs: number;
  /** The longest wait of a `load` without a copy. */
  readonly firstLoadMs: number;
}

export const defaultTiming: RemoteTiming = { staleMs: 10 * 60_000, retryMs: 60_000, firstLoadMs: 15_000 };

interface RemoteCatalogDeps {
  readonly client: RemoteClient;
  /** Ends in `/api/v1`. */
  readonly base: string;
  /** Stores the copy. */
  readonly copyFile: string;
  readonly onChanged: () => void;
  readonly clock: Clock;
  readonly log: Logger;
  readonly timing: RemoteTiming;
}

/** A catalog service's list: a copy on this machine that is shown at once, also offline, and refreshed in the background. */
export class RemoteCatalog {
  readonly #deps: RemoteCatalogDeps;
  readonly #closing = new AbortController();
  #reading: Promise<void> | null = null;
  #copy: RemoteCopy | null = null;
  #catalog: Catalog | null = null;
  #refreshing: Promise<void> | null = null;
  /** The shared wait of all `load` calls without a copy. */
  #firstLoad: Promise<unknown> | null = null;
  #problem: string | null = null;
  #failedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: RemoteCatalogDeps) {
    this.#deps = deps;
  }

  get fetchedAt(): string | null {
    return this.#copy?.fetchedAt ?? null;
  }

  /** Why the last refresh failed, for people; null: it succeeded. */
  get problem(): string | null {
    return this.#problem;
  }

  /** The number of models; 0 until loaded. */
  get total(): number {
    return this.#catalog?.size ?? 0;
  }

  /** Returns the copy, and refreshes it if it is old. Without a copy, waits for the service. @throws CatalogUnavailable */
  async load(): Promise<Catalog> {
    const { timing, clock } = this.#deps;
    await this.#readCopy();
    const nowMs = clock.now().getTime();
    // `abs`: after the clock was set back, a copy can be from the future.
    const isFresh = this.#copy !== null && Math.abs(nowMs - Date.parse(this.#copy.fetchedAt)) < timing.staleMs;
    if (!isFresh && Math.abs(nowMs - this.#failedAtMs) >= timing.retryMs) {
      const refreshed = this.#refresh();
      if (this.#catalog === null) {
        this.#firstLoad ??= settlesWithin(clock, timing.firstLoadMs, refreshed);
        await this.#firstLoad;
      }
    }
    if (this.#catalog) return this.#catalog;
    throw new CatalogUnavailable(this.#problem ?? 'The catalog service has not answered yet. Try again in a moment.');
  }

  /** Requests the list now, or joins a request in progress. Never throws: see `problem`. */
  async refresh(): Promise<void> {
    await this.#readCopy();
    await this.#refresh();
  }

  /** Starts with a list just received, instead of the copy. */
  async begin(list: RemoteList): Promise<void> {
    this.#reading = this.#take(list);
    await this.#reading;
  }

  /** Aborts everything in progress; afterwards the copy is no longer written. */
  async close(): Promise<void> {
    this.#closing.abort(new ShuttingDown());
    await Promise.allSettled([this.#reading, this.#refreshing]);
  }

  #readCopy(): Promise<void> {
    this.#reading ??= this.#readCopyOnce();
    return this.#reading;
  }

  async #readCopyOnce(): Promise<void> {
    const { copyFile, base, log, onChanged } = this.#deps;
    const copy = await readRemoteCopy(copyFile, base).catch((error: unknown) => {
      log.error('catalog: the copy of the remote catalog cannot be read', error);
      return null;
    });
    if (!copy) return;
    await this.#show(copy);
    onChanged();
  }

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#refreshOnce().finally(() => {
      this.#refreshing = null;
      this.#firstLoad = null;
    });
    return this.#refreshing;
  }

  async #refreshOnce(): Promise<void> {
    const { client, clock, log, onChanged } = this.#deps;
    try {
      const list = await client.list(this.#copy?.etag ?? null, this.#closing.signal);
      this.#problem = null;
      this.#failedAtMs = Number.NEGATIVE_INFINITY;
      if (list) await this.#take(list);
      else if (this.#copy) await this.#keep({ ...this.#copy, fetchedAt: clock.now().toISOString() });
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#failedAtMs = clock.now().getTime();
      const isKnown = error instanceof DomainError;
      this.#problem = isKnown ? error.message : "The catalog could not be read. The daemon's log says why.";
      if (isKnown) log.info(`catalog: the remote catalog could not be read: ${error.message}`);
      else log.error('catalog: the remote catalog could not be read', error);
    }
    onChanged();
  }

  async #take({ items, etag, skipped }: RemoteList): Promise<void> {
    const { base, clock, log } = this.#deps;
    if (skipped.items + skipped.recipes > 0) {
      log.warn(`catalog: ${base} lists ${skipped.items} models and ${skipped.recipes} recipes that cannot be used`);
    }
    const copy = { base, etag, fetchedAt: clock.now().toISOString(), items };
    await this.#show(copy);
    await this.#keep(copy);
  }

  async #show(copy: RemoteCopy): Promise<void> {
    // Only shipped items have facts.
    const entries = copy.items.map((item) => ({ item, facts: { weightBytes: {} } }));
    this.#catalog = await buildCatalog(entries, this.#deps.log);
    this.#copy = copy;
  }

  /** Writes the copy; a failure is only logged. */
  async #keep(copy: RemoteCopy): Promise<void> {
    this.#copy = copy;
    if (this.#closing.signal.aborted) return;
    await writeRemoteCopy(this.#deps.copyFile, copy).catch((error: unknown) =>
      this.#deps.log.error('catalog: the copy of the remote catalog cannot be written', error),
    );
  }
}
