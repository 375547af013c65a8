import * as z from 'zod';
import { AppName } from '../contract/apps/app-source.ts';
import type { InstalledApp } from '../contract/apps/apps.ts';
import type { Job } from '../contract/jobs.ts';
import type { Robot } from '../robot/robot.ts';
import type { Publish } from '../shared/async/event-bus.ts';
import { DomainError } from '../shared/domain-error.ts';
import { writeJsonFile } from '../shared/files/json-file.ts';
import { readStoredFile } from '../shared/files/stored-file.ts';
import type { Logger } from '../shared/logger.ts';
import { AppNotInstalled } from './installed/errors.ts';
import type { AppSlot } from './run/app-slot.ts';

const Setting = z.object({ startupApp: AppName.nullable() });

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
  #name: string | null;
  #installing = false;
  #hasWoken = false;
  /** Whether the first wake-up was handled. */
  #isFirstOver = false;

  constructor(deps: StartupAppDeps) {
    this.#deps = deps;
    this.#name = deps.forThisRun;
  }

  /** The app's name; null when none is chosen, or when the chosen one is no longer installed. */
  get name(): string | null {
    if (this.#name === null) return null;
    return this.#deps.findApp(this.#name)?.name ?? (this.#installing ? this.#name : null);
  }

  /** Whether the chosen app is not installed, so that `prepare` may take long. */
  get isMissing(): boolean {
    return this.#name !== null && this.#deps.findApp(this.#name) === null;
  }

  /** Loads the stored choice, unless there is one for this run. */
  async load(): Promise<void> {
    const { file, log } = this.#deps;
    if (this.#name !== null) return;
    const stored = await readStoredFile(file, Setting, log).catch((error: unknown) => {
      log.error('apps: the choice of the startup app could not be read', error);
      return null;
    });
    const chosen = stored?.value?.startupApp ?? null;
    // A choice whose app is missing stays stored: the app's folder may be damaged, or on a disk that is not connected.
    this.#name = chosen !== null && this.#deps.findApp(chosen) ? chosen : null;
  }

  /** Chooses an installed app, or none. @returns its name @throws AppNotInstalled */
  async choose(name: string | null): Promise<string | null> {
    const { file, findApp, publish } = this.#deps;
    if (name !== null && findApp(name)?.name !== name) throw new AppNotInstalled(name);
    await writeJsonFile(file, { startupApp: name });
    this.#name = name;
    publish({ type: 'startup-app.changed', startupApp: name });
    return this.name;
  }

  /** Installs the chosen app if it is missing and the app catalog has it. Logs failures. */
  async prepare(): Promise<void> {
    const { findApp, findInCatalog, install, log } = this.#deps;
    const name = this.#name;
    if (name === null || findApp(name)) return;
    this.#installing = true;
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
}
