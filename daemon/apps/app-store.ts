import * as z from 'zod';
import type { AppHost } from '../app-package/check-app.ts';
import { DISCOVERY_TAG } from '../app-package/front-matter.ts';
import { normalizedName } from '../app-package/requirement.ts';
import {
  StoreApp,
  type StoreAppDetail,
  type StorePage,
  type StoreSort,
  type StoreStatus,
} from '../contract/apps/store.ts';
import { Timestamp } from '../contract/common/common.ts';
import { hubTooSlow } from '../hub/errors.ts';
import type { HubClient } from '../hub/hub-client.ts';
import { deadline } from '../shared/async/deadline.ts';
import type { Publish } from '../shared/async/event-bus.ts';
import { lazy } from '../shared/async/lazy.ts';
import { settlesWithin } from '../shared/async/settles-within.ts';
import type { Clock } from '../shared/clock.ts';
import { DomainError, ShuttingDown } from '../shared/domain-error.ts';
import { readJsonFile, writeJsonFile } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';
import { storeApp, storeAppDetail } from './store-app.ts';
import { pageOf, StoreIndex } from './store-index.ts';

const defaultTiming = {
  /** Age at which the copy is refreshed. */
  staleMs: 10 * 60_000,
  /** Time without automatic retries after a failure. */
  retryMs: 60_000,
  /** Time that the first request waits for the hub. */
  firstLoadMs: 15_000,
  refreshMs: 120_000,
  detailMs: 60_000,
};
export type StoreTiming = Readonly<typeof defaultTiming>;

interface AppStoreDeps {
  readonly hub: HubClient;
  /** Address of the hub; null: the default of the hub's library. */
  readonly hubUrl: string | null;
  /** Stores the copy. */
  readonly file: string;
  /** The host of the apps; null while no Python is found. */
  readonly host: () => Promise<AppHost | null>;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly log: Logger;
  readonly timing?: Partial<StoreTiming>;
}

interface StoreQuery {
  readonly search: string;
  readonly sort: StoreSort;
  readonly page: number;
  readonly limit: number;
}

/** The hub's apps, from a copy on this machine that is available offline and refreshed in the background. */
export class AppStore {
  readonly #deps: AppStoreDeps;
  readonly #timing: StoreTiming;
  readonly #closing = new AbortController();
  #hub: string;
  #copy: StoreCopy | null = null;
  #index = new StoreIndex([]);
  #refreshing: Promise<void> | null = null;
  /** The wait of requests while there is no copy yet. */
  #firstLoad: Promise<unknown> | null = null;
  #accounts = 0;
  #problem: string | null = null;
  #failedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: AppStoreDeps) {
    this.#deps = deps;
    this.#timing = { ...defaultTiming, ...deps.timing };
    this.#hub = deps.hubUrl ?? '';
  }

  /** Incomplete until the copy was read at the first request. */
  get status(): StoreStatus {
    return {
      hub: this.#hub,
      fetchedAt: this.#copy?.fetchedAt ?? null,
      refreshing: this.#refreshing !== null,
      problem: this.#problem,
      total: this.#index.apps.length,
    };
  }

  /** Reads the copy, refreshes it if it is old, and waits a limited time for the hub if there is none. */
  async ready(): Promise<void> {
    const { staleMs, retryMs, firstLoadMs } = this.#timing;
    await this.#readCopy();
    const nowMs = this.#deps.clock.now().getTime();
    // abs: the copy is in the future after the clock was set back.
    const isFresh = this.#copy !== null && Math.abs(nowMs - Date.parse(this.#copy.fetchedAt)) < staleMs;
    if (isFresh || Math.abs(nowMs - this.#failedAtMs) < retryMs) return;
    const refreshed = this.#refresh();
    if (this.#copy !== null) return;
    this.#firstLoad ??= settlesWithin(this.#deps.clock, firstLoadMs, refreshed);
    await this.#firstLoad;
  }

  /** Answers from the copy; see `ready`. */
  async list({ search, sort, page, limit }: StoreQuery): Promise<StorePage> {
    await this.ready();
    const found = this.#index.find(search, sort);
    return { ...pageOf(found, page, limit), matches: found.length, page, status: this.status };
  }

  /** Reads the hub now, or joins a running refresh. Never throws: the status has the problem. */
  async refresh(): Promise<StoreStatus> {
    await this.#readCopy();
    await this.#refresh();
    return this.status;
  }

  /** Reads the hub after this daemon changed it; a refresh that runs may have missed the change. Never throws. */
  async changedHere(): Promise<void> {
    await this.#refreshing;
    await this.refresh();
  }

  /** @throws HubError */
  async detail(id: string): Promise<StoreAppDetail> {
    const { hub, host, clock } = this.#deps;
    using limit = deadline(clock, this.#timing.detailMs, hubTooSlow, this.#closing.signal);
    return await storeAppDetail(hub, id, await host(), limit.signal);
  }

  /** The install address of the app whose repository has that name; null when there is none or several. */
  addressOf(name: string): string | null {
    const found = this.#index.apps.filter(({ id }) => normalizedName(id.split('/')[1] ?? '') === normalizedName(name));
    return found.length === 1 ? (found[0]?.url ?? null) : null;
  }

  /** Refreshes after a sign-in or sign-out, since each account sees other private apps. */
  async accountChanged(): Promise<void> {
    this.#accounts += 1;
    await this.#readCopy();
    if (this.#copy?.apps.some((app) => app.private)) {
      await this.#setAndStore({ ...this.#copy, apps: this.#copy.apps.filter((app) => !app.private) });
    }
    await this.#refreshing; // it uses the old token
    await this.#refresh();
  }

  /** Cancels a running refresh. */
  async close(): Promise<void> {
    this.#closing.abort(new ShuttingDown());
    await this.#refreshing;
  }

  /** Reads the copy of this hub, if there is one. */
  readonly #readCopy = lazy(async (): Promise<void> => {
    const { hub, file, log } = this.#deps;
    this.#hub = await hub.address();
    const copy = await readJsonFile(file, StoreCopy).catch((error: unknown) => {
      log.error('apps: the copy of the app store could not be read', error);
      return null;
    });
    this.#set(copy?.hub === this.#hub ? copy : null);
    this.#publish();
  });

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#refreshOnce().finally(() => {
      this.#refreshing = null;
      this.#firstLoad = null;
      this.#publish();
    });
    return this.#refreshing;
  }

  async #refreshOnce(): Promise<void> {
    const { hub, clock, log } = this.#deps;
    const account = this.#accounts;
    await Promise.resolve(); // so that #refreshing is set before the status is published
    this.#publish();
    using limit = deadline(clock, this.#timing.refreshMs, hubTooSlow, this.#closing.signal);
    try {
      const apps = new Map<string, StoreApp>();
      for await (const app of hub.listApps(DISCOVERY_TAG, limit.signal)) apps.set(app.id, storeApp(this.#hub, app));
      if (account !== this.#accounts) return; // the account has changed
      await this.#setAndStore({ hub: this.#hub, fetchedAt: clock.now().toISOString(), apps: [...apps.values()] });
      this.#problem = null;
      this.#failedAtMs = Number.NEGATIVE_INFINITY;
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#failedAtMs = clock.now().getTime();
      this.#problem = (error as Error).message;
      if (error instanceof DomainError) log.info(`apps: the app store could not be read: ${error.message}`);
      else log.error('apps: the app store could not be read', error);
    }
  }

  /** Shows a new copy and stores it. A failure to store it is only logged. */
  async #setAndStore(copy: StoreCopy): Promise<void> {
    this.#set(copy);
    await writeJsonFile(this.#deps.file, copy).catch((error: unknown) =>
      this.#deps.log.error('apps: the copy of the app store could not be saved', error),
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

/** The apps of the hub at its last complete read. */
const StoreCopy = z.object({ hub: z.string(), fetchedAt: Timestamp, apps: z.array(StoreApp) });
type StoreCopy = z.infer<typeof StoreCopy>;
