import type { AppHost } from '../../app-package/check-app.ts';
import { DISCOVERY_TAG } from '../../app-package/front-matter.ts';
import type { StoreApp, StoreAppDetail, StorePage, StoreSort, StoreStatus } from '../../contract/apps/store.ts';
import { hubTooSlow } from '../../hub/errors.ts';
import type { HubClient } from '../../hub/hub-client.ts';
import { deadline } from '../../shared/async/deadline.ts';
import type { Publish } from '../../shared/async/event-bus.ts';
import { within } from '../../shared/async/within.ts';
import type { Now } from '../../shared/clock.ts';
import { DomainError } from '../../shared/domain-error.ts';
import type { Logger } from '../../shared/logger.ts';
import { ShuttingDown } from '../../shared/shutting-down.ts';
import { appKey } from '../installed/installed-apps.ts';
import { storeApp } from './store-app.ts';
import { readStoreCopy, type StoreCopy, writeStoreCopy } from './store-copy.ts';
import { storeAppDetail } from './store-detail.ts';
import { pageOf, StoreIndex } from './store-index.ts';

export interface StoreTiming {
  /** How old the copy gets before it is renewed. */
  readonly staleMs: number;
  /** How long nobody tries again by himself after a failure. */
  readonly retryMs: number;
  /** How long the first look waits for the hub. */
  readonly firstLookMs: number;
  readonly refreshMs: number;
  readonly detailMs: number;
}

const usualTiming: StoreTiming = {
  staleMs: 10 * 60_000,
  retryMs: 60_000,
  firstLookMs: 15_000,
  refreshMs: 120_000,
  detailMs: 60_000,
};

export interface AppStoreDeps {
  readonly hub: HubClient;
  /** Where the hub is where that was chosen; null: the hub's library knows it. */
  readonly hubUrl: string | null;
  /** Where the copy of the store is kept. */
  readonly file: string;
  /** What apps will run on; null: there is no Python yet. */
  readonly host: () => Promise<AppHost | null>;
  readonly publish: Publish;
  readonly now: Now;
  readonly log: Logger;
  readonly timing?: Partial<StoreTiming>;
}

export interface StoreQuery {
  readonly search: string;
  readonly sort: StoreSort;
  readonly page: number;
  readonly limit: number;
}

/** The hub's apps: a copy on this machine that is shown at once, offline too, and renewed behind the user's back. */
export class AppStore {
  readonly #deps: AppStoreDeps;
  readonly #timing: StoreTiming;
  readonly #closing = new AbortController();
  #reading: Promise<void> | null = null;
  #hub: string;
  #copy: StoreCopy | null = null;
  #index = new StoreIndex([]);
  #refreshing: Promise<void> | null = null;
  /** The wait of those who have nothing to look at yet. */
  #firstLook: Promise<unknown> | null = null;
  #accounts = 0;
  #problem: string | null = null;
  #failedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: AppStoreDeps) {
    this.#deps = deps;
    this.#timing = { ...usualTiming, ...deps.timing };
    this.#hub = deps.hubUrl ?? '';
  }

  /** As far as it is known: the copy is read when the store is first looked at. */
  get status(): StoreStatus {
    return {
      hub: this.#hub,
      fetchedAt: this.#copy?.fetchedAt ?? null,
      refreshing: this.#refreshing !== null,
      problem: this.#problem,
      total: this.#index.apps.length,
    };
  }

  /** Reads the copy, has it renewed where it is old, and waits for the hub, for a while, where there is none. */
  async ready(): Promise<void> {
    const { staleMs, retryMs, firstLookMs } = this.#timing;
    await this.#readCopy();
    const nowMs = this.#deps.now().getTime();
    // A clock that was set back makes a copy look as if it were from the future.
    const isFresh = this.#copy !== null && Math.abs(nowMs - Date.parse(this.#copy.fetchedAt)) < staleMs;
    if (isFresh || Math.abs(nowMs - this.#failedAtMs) < retryMs) return;
    const refreshed = this.#refresh();
    if (this.#copy !== null) return;
    this.#firstLook ??= within(firstLookMs, refreshed);
    await this.#firstLook;
  }

  /** Answers from the copy; see `ready`. */
  async list({ search, sort, page, limit }: StoreQuery): Promise<StorePage> {
    await this.ready();
    const found = this.#index.find(search, sort);
    return { ...pageOf(found, page, limit), matches: found.length, page, status: this.status };
  }

  /** Reads the hub now, or joins who does. Never throws: the status has the problem. */
  async refresh(): Promise<StoreStatus> {
    await this.#readCopy();
    await this.#refresh();
    return this.status;
  }

  /** @throws HubTrouble */
  async detail(id: string): Promise<StoreAppDetail> {
    const { hub, host } = this.#deps;
    using limit = deadline(this.#timing.detailMs, hubTooSlow, this.#closing.signal);
    return await storeAppDetail(hub, id, await host(), limit.signal);
  }

  /** What is to be installed for the app whose repository has that name; null: there is none, or several, or not known. */
  addressOf(name: string): string | null {
    const found = this.#index.apps.filter(({ id }) => appKey(id.split('/')[1] ?? '') === appKey(name));
    return found.length === 1 ? (found[0]?.url ?? null) : null;
  }

  /** Another account sees other private apps. */
  async accountChanged(): Promise<void> {
    this.#accounts += 1;
    await this.#readCopy();
    if (this.#copy?.apps.some((app) => app.private)) {
      await this.#keep({ ...this.#copy, apps: this.#copy.apps.filter((app) => !app.private) });
    }
    await this.#refreshing; // which has asked with the token from before
    await this.#refresh();
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#closing.abort(new ShuttingDown());
    await this.#refreshing;
  }

  #readCopy(): Promise<void> {
    this.#reading ??= this.#readCopyOnce();
    return this.#reading;
  }

  async #readCopyOnce(): Promise<void> {
    const { hub, file, log } = this.#deps;
    this.#hub = await hub.address();
    const copy = await readStoreCopy(file, this.#hub).catch((error: unknown) => {
      log.error('apps: the copy of the app store is lost', error);
      return null;
    });
    this.#set(copy);
    this.#publish();
  }

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#refreshOnce().finally(() => {
      this.#refreshing = null;
      this.#firstLook = null;
      this.#publish();
    });
    return this.#refreshing;
  }

  async #refreshOnce(): Promise<void> {
    const { hub, now, log } = this.#deps;
    const account = this.#accounts;
    await Promise.resolve(); // until it is known that it is under way
    this.#publish();
    using limit = deadline(this.#timing.refreshMs, hubTooSlow, this.#closing.signal);
    try {
      const apps = new Map<string, StoreApp>();
      for await (const app of hub.listApps(DISCOVERY_TAG, limit.signal)) apps.set(app.id, storeApp(this.#hub, app));
      if (account !== this.#accounts) return; // what another one sees
      await this.#keep({ hub: this.#hub, fetchedAt: now().toISOString(), apps: [...apps.values()] });
      this.#problem = null;
      this.#failedAtMs = Number.NEGATIVE_INFINITY;
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#failedAtMs = now().getTime();
      this.#problem = (error as Error).message;
      if (error instanceof DomainError) log.info(`apps: the app store could not be read: ${error.message}`);
      else log.error('apps: the app store could not be read', error);
    }
  }

  /** Shown from now on; that it cannot be written is no reason not to show it. */
  async #keep(copy: StoreCopy): Promise<void> {
    this.#set(copy);
    await writeStoreCopy(this.#deps.file, copy).catch((error: unknown) =>
      this.#deps.log.error('apps: the copy of the app store cannot be kept', error),
    );
  }

  #set(copy: StoreCopy | null): void {
    this.#copy = copy;
    this.#index = new StoreIndex(copy?.apps ?? []);
  }

  #publish(): void {
    this.#deps.publish({ type: 'store.changed', store: this.status });
  }
}
