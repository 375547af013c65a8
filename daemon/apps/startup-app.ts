import * as z from 'zod';
import { AppName } from '../contract/apps/app-source.ts';
import type { InstalledApp } from '../contract/apps/apps.ts';
import type { Job } from '../contract/jobs.ts';
import type { Robot } from '../robot/robot.ts';
import type { Publish } from '../shared/async/event-bus.ts';
import { DomainError } from '../shared/domain-error.ts';
import { readJsonFile, writeJsonFile } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';
import { AppNotInstalled } from './installed/errors.ts';
import type { AppSlot } from './run/app-slot.ts';

const Setting = z.object({ startupApp: AppName.nullable() });

export interface StartupAppDeps {
  /** Where the choice is kept. */
  readonly file: string;
  /** The choice for this run of the daemon, before the one that is kept. */
  readonly forThisRun: string | null;
  readonly findApp: (name: string) => InstalledApp | null;
  /** What the app catalog says an app is installed from; null: it does not have it. */
  readonly findInCatalog: (name: string) => Promise<string | null>;
  /** Installs from there, and waits for the end of the job. */
  readonly install: (url: string) => Promise<Job>;
  readonly startApp: (name: string) => Promise<unknown>;
  readonly slot: AppSlot;
  readonly robot: Pick<Robot, 'onWakeUp' | 'onTouch' | 'wakeUp'>;
  readonly publish: Publish;
  readonly log: Logger;
}

/**
 * The app that starts by itself: after the first wake-up of a daemon's run, and after an antenna of the sleeping robot was
 * touched. It never takes the place of another one: it starts only where the slot is free.
 */
export class StartupApp {
  readonly #deps: StartupAppDeps;
  #name: string | null;
  #installing = false;
  #hasWoken = false;
  /** The first wake-up starts it, or has found nothing to start. */
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

  /** Whether it is chosen but not installed, so that `prepare` may take long. */
  get isMissing(): boolean {
    return this.#name !== null && this.#deps.findApp(this.#name) === null;
  }

  /** Reads the choice that is kept, unless there is one for this run. */
  async load(): Promise<void> {
    const { file, log } = this.#deps;
    if (this.#name !== null) return;
    const kept = await readJsonFile(file, Setting).catch((error: unknown) => {
      log.error('apps: the startup app is not known', error);
      return null;
    });
    this.#name = kept?.startupApp ?? null;
    if (this.name === null && this.#name !== null) await this.choose(null); // it was removed
  }

  /** Chooses an installed app, or none, from now on. @returns its name @throws AppNotInstalled */
  async choose(name: string | null): Promise<string | null> {
    const { file, findApp, publish } = this.#deps;
    if (name !== null && findApp(name)?.name !== name) throw new AppNotInstalled(name);
    await writeJsonFile(file, { startupApp: name });
    this.#name = name;
    publish({ type: 'startup-app.changed', startupApp: name });
    return this.name;
  }

  /** Installs the chosen app if it is missing and the app catalog has it. Says in the log what does not work out. */
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

  /** Starts the app whenever its time comes, from now on. */
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

  /** Once, as soon as the robot has woken up and nothing is left to install. */
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
