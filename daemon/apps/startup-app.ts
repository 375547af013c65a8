import * as z from 'zod';
import { normalizedName } from '../app-package/requirement.ts';
import { AppName } from '../contract/apps/app-source.ts';
import type { InstalledApp } from '../contract/apps/apps.ts';
import type { Job } from '../contract/jobs.ts';
import type { Robot } from '../robot/robot.ts';
import type { Publish } from '../shared/async/event-bus.ts';
import { DomainError } from '../shared/domain-error.ts';
import { readStoredFile, writeJsonFile } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';
import type { AppStore } from './app-store.ts';
import { AppNotInstalled } from './installed/errors.ts';
import type { ShippedApps } from './installed/shipped-apps.ts';
import type { AppSlot } from './run/app-slot.ts';

/** The stored choice. */
export const StartupAppFile = z.object({
  startupApp: AppName.nullable(),
  /** The app is being removed: if it is gone at the next start, so is the choice. */
  isBeingRemoved: z.boolean().optional(),
});

export interface StartupAppDeps {
  /** Stores the choice. */
  readonly file: string;
  /** The choice for this run of the daemon, which takes precedence over the stored one. */
  readonly forThisRun: string | null;
  readonly findApp: (name: string) => InstalledApp | null;
  /** The install address of an app in the app catalog; null when it is not there. */
  readonly findInCatalog: (name: string) => Promise<string | null>;
  /** Installs from an address, and waits for the end of the job. */
  readonly install: (url: string) => Promise<Job>;
  readonly startApp: (name: string) => Promise<unknown>;
  readonly slot: AppSlot;
  readonly robot: Pick<Robot, 'onWakeUp' | 'onTouch' | 'wakeUp'>;
  readonly publish: Publish;
  readonly log: Logger;
}

/**
 * The app that starts automatically after the first wake-up since the daemon started, and when an antenna of the
 * sleeping robot is touched. It starts only if the slot is free.
 */
export class StartupApp {
  readonly #deps: StartupAppDeps;
  #forThisRun: string | null;
  #stored: string | null = null;
  /** The name that the dashboards know. */
  #published: string | null = null;
  #installing = false;
  #hasWoken = false;
  /** Whether the first wake-up was handled. */
  #isFirstOver = false;

  constructor(deps: StartupAppDeps) {
    this.#deps = deps;
    this.#forThisRun = deps.forThisRun;
  }

  get #name(): string | null {
    return this.#forThisRun ?? this.#stored;
  }

  /** The app's name; null when none is chosen, or when the chosen one is no longer installed. */
  get name(): string | null {
    if (this.#name === null) return null;
    return this.#deps.findApp(this.#name)?.name ?? (this.#installing ? this.#name : null);
  }

  /** Whether the app for this run is not installed, so that `prepare` may take long. */
  get isMissing(): boolean {
    return this.#forThisRun !== null && this.#deps.findApp(this.#forThisRun) === null;
  }

  /** Loads the stored choice. */
  async load(): Promise<void> {
    const { file, findApp, log } = this.#deps;
    const record = await readStoredFile(file, StartupAppFile, log).catch((error: unknown) => {
      log.error('apps: the choice of the startup app could not be read', error);
      return null;
    });
    const { startupApp: chosen = null, isBeingRemoved = false } = record?.value ?? {};
    // Else a choice whose app is missing stays: the app's folder may be damaged, or on a disk that is not connected.
    const isRemoved = isBeingRemoved && chosen !== null && findApp(chosen) === null;
    this.#stored = isRemoved ? null : chosen;
    if (isBeingRemoved) await this.#store();
    this.#published = this.name;
  }

  /** Chooses an installed app, or none. @returns its name @throws AppNotInstalled */
  async choose(name: string | null): Promise<string | null> {
    const { file, findApp } = this.#deps;
    if (name !== null && findApp(name)?.name !== name) throw new AppNotInstalled(name);
    await writeJsonFile(file, { startupApp: name });
    this.#stored = name;
    this.#forThisRun = null;
    this.#changed();
    return this.name;
  }

  /**
   * Removes an app, and the choice with it. A kill of the daemon in between cannot leave the choice without its app,
   * which would come into force again when the app is installed again. The removal does not wait for room on the disk:
   * a failure to store the choice is logged.
   * @throws what `remove` throws; then the choice stays
   */
  async removeWith(name: string, remove: () => Promise<void>): Promise<void> {
    const isStored = this.#stored === name;
    if (isStored) await this.#store({ isBeingRemoved: true });
    try {
      await remove();
    } catch (error) {
      if (isStored) await this.#store();
      throw error;
    }
    if (this.#forThisRun === name) this.#forThisRun = null;
    if (this.#stored === name) {
      this.#stored = null;
      await this.#store();
    }
    this.appsChanged();
  }

  /** The installed apps have changed: a choice may be in force now whose app was missing, or no longer. */
  appsChanged(): void {
    if (this.name !== this.#published) this.#changed();
  }

  /** Installs the app for this run if it is missing and the app catalog has it. Logs failures. */
  async prepare(): Promise<void> {
    const { findApp, findInCatalog, install, log } = this.#deps;
    const name = this.#forThisRun;
    if (name === null || findApp(name)) return;
    this.#installing = true;
    this.appsChanged();
    try {
      const url = await findInCatalog(name);
      if (url === null) {
        log.warn(`apps: the startup app "${name}" is not installed, and the app catalog does not have it`);
        return;
      }
      const { state, failure } = await install(url);
      if (state !== 'done') log.warn(`apps: the startup app "${name}" could not be installed: ${failure?.message}`);
    } catch (error) {
      log.warn(`apps: the startup app "${name}" could not be installed: ${(error as Error).message}`);
    } finally {
      this.#installing = false;
      this.appsChanged();
      this.#startFirst();
    }
  }

  /** Starts the app at wake-ups and touches from now on. */
  watch(): void {
    const { robot } = this.#deps;
    robot.onWakeUp(() => {
      this.#hasWoken = true;
      this.#startFirst();
    });
    robot.onTouch((antenna) => {
      if (this.name === null || this.#deps.slot.state.state !== 'free') return;
      this.#deps.log.info(`apps: the ${antenna} antenna was touched`);
      robot.wakeUp().then(
        (outcome) => (outcome === 'done' ? this.#start() : undefined),
        (error: Error) => this.#deps.log.warn(`robot: ${error.message}`),
      );
    });
  }

  /** Starts the app once, as soon as the robot has woken up and the installation is over. */
  #startFirst(): void {
    if (!this.#hasWoken || this.#isFirstOver || this.#installing) return;
    this.#isFirstOver = true;
    void this.#start();
  }

  async #start(): Promise<void> {
    const { slot, startApp, log } = this.#deps;
    const { name } = this;
    if (name === null || slot.state.state !== 'free') return;
    log.info(`apps: starting the startup app "${name}"`);
    try {
      await startApp(name);
    } catch (error) {
      if (error instanceof DomainError) log.warn(`apps: "${name}" was not started: ${error.message}`);
      else log.error(`apps: "${name}" could not be started`, error);
    }
  }

  /** Stores the choice; a failure is logged. */
  async #store({ isBeingRemoved }: { isBeingRemoved?: true } = {}): Promise<void> {
    await writeJsonFile(this.#deps.file, { startupApp: this.#stored, isBeingRemoved }).catch((error: unknown) =>
      this.#deps.log.error('apps: the choice of the startup app could not be stored', error),
    );
  }

  #changed(): void {
    this.#published = this.name;
    this.#deps.publish({ type: 'startup-app.changed', startupApp: this.name });
  }
}

/**
 * The address of an app that can be installed by its name: a sample, or else an app of the store.
 * @returns null when no app has that name, or several apps of the store have it
 */
export async function addressByName(
  name: string,
  { shipped, store }: { shipped: Pick<ShippedApps, 'samples'>; store: Pick<AppStore, 'ready' | 'addressOf'> },
): Promise<string | null> {
  const sample = shipped.samples.find((app) => normalizedName(app.name) === normalizedName(name));
  if (sample) return sample.url;
  await store.ready();
  return store.addressOf(name);
}
