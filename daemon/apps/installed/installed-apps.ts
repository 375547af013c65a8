import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { normalizedName as keyOf } from '../../app-package/requirement.ts';
import { identityOf, type RequestedSource } from '../../contract/apps/app-source.ts';
import type { AppDisk, InstalledApp, Rollback } from '../../contract/apps/apps.ts';
import { commitOf } from '../../contract/apps/source-text.ts';
import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import type { Publish } from '../../shared/async/event-bus.ts';
import { KeyedMutex } from '../../shared/async/mutex.ts';
import { folderBytes } from '../../shared/files/folder-size.ts';
import { readJsonFile, writeJsonFile } from '../../shared/files/json-file.ts';
import type { Logger } from '../../shared/logger.ts';
import { type Assignments, readAssignments, writeAssignments } from '../needs/app-needs.ts';
import { pythonIn } from '../python/python-env.ts';
import {
  discardEnvironment,
  environmentIn,
  moveAside,
  nameEnvironment,
  removeDrafts,
  removeUnused,
} from './app-environments.ts';
import type { AppLaunch } from './app-launch.ts';
import { AppPointer, describeApps, type OfferedUpdate, POINTER, pointerTo, type StoredVersion } from './app-pointer.ts';
import { AppNotInstalled, NoPreviousVersion } from './errors.ts';
import { savedThen } from './saved-files.ts';

interface InstalledAppsDeps {
  readonly appsDir: string;
  /** Removed folders are first moved here, on the same file system; emptied at each start. */
  readonly workDir: string;
  readonly publish: Publish;
  readonly log: Logger;
}

/** The installed apps. Each has a folder with `current.json`, `envs/` and `files/`. */
export class InstalledApps {
  readonly #deps: InstalledAppsDeps;
  readonly #pointers = new Map<string, AppPointer>();
  readonly #updates = new Map<string, OfferedUpdate>();
  /** The assigned endpoints by the key of the app, also those of needs that only an earlier version has. */
  readonly #assigned = new Map<string, Assignments>();
  /** By the key of the app: the resets that can be undone. AppResets stores them. */
  readonly #resets = new Map<string, InstalledApp['reset']>();
  /** Why an app cannot be launched now, by its key; the last reason is said. */
  readonly #refused = new Map<string, Set<Error>>();
  readonly #assigning = new KeyedMutex();
  readonly #switching = new KeyedMutex();
  #list: InstalledApp[] | null = null;

  constructor(deps: InstalledAppsDeps) {
    this.#deps = deps;
  }

  /** Loads the installed apps, and removes unfinished environments of a daemon that was killed. */
  async load(): Promise<void> {
    const { appsDir, workDir, log } = this.#deps;
    await mkdir(appsDir, { recursive: true }).catch(() => {}); // a full disk; the first install tries again
    const names = await readdir(appsDir).catch((error: NodeJS.ErrnoException): string[] => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    for (const key of names) {
      const folder = join(appsDir, key);
      try {
        const pointer = await readJsonFile(join(folder, POINTER), AppPointer);
        if (pointer) this.#pointers.set(key, pointer);
        this.#assigned.set(key, await readAssignments(folder, log));
        await removeDrafts(folder);
        await removeUnused(folder, pointer, (env) => moveAside(env, workDir));
      } catch (error) {
        // An unreadable folder is kept: it may hold the user's only files.
        log.error(`apps: ${folder} is ignored`, error);
      }
    }
    this.#list = null;
  }

  list(): InstalledApp[] {
    this.#list ??= describeApps(this.#pointers, this.#updates, this.#assigned, this.#resets);
    return this.#list;
  }

  /** Finds an app by any spelling of its name. @returns null when it is not installed */
  find(name: string): InstalledApp | null {
    const app = this.#pointers.get(keyOf(name))?.app;
    return (app && this.list().find((each) => each.name === app.name)) ?? null;
  }

  /** Finds the app that is installed from a source, in any of its versions. @returns null when there is none */
  findFrom(source: RequestedSource): InstalledApp | null {
    return this.list().find((app) => identityOf(app.source) === identityOf(source)) ?? null;
  }

  /** @throws AppNotInstalled */
  get(name: string): InstalledApp {
    const app = this.find(name);
    if (app?.name !== name) throw new AppNotInstalled(name);
    return app;
  }

  /** The launch parameters of an app. @throws AppNotInstalled, and the last reason of `refuseLaunches` */
  launch(name: string): AppLaunch {
    const app = this.get(name);
    const reason = [...(this.#refused.get(keyOf(name)) ?? [])].at(-1);
    if (reason) throw reason;
    const folder = this.folderOf(name);
    const { env } = this.#pointer(name);
    return { app, python: pythonIn(environmentIn(folder, env)), workDir: join(folder, 'files') };
  }

  /** The folder of an app's live environment. @throws AppNotInstalled */
  environmentOf(name: string): string {
    return environmentIn(this.folderOf(name), this.#pointer(name).env);
  }

  /** The folder of the environment of the version before; null: there is none. @throws AppNotInstalled */
  environmentBefore(name: string): string | null {
    const { previous } = this.#pointer(name);
    return previous && environmentIn(this.folderOf(name), previous.env);
  }

  /** The folder of an installed app. @throws AppNotInstalled */
  folderOf(name: string): string {
    return join(this.#deps.appsDir, keyOf(this.get(name).name));
  }

  /**
   * Creates a folder for a new environment beside the live one.
   * @param options.keepBefore whether the switch leaves the environment before it for `removeUnused`: the app runs there
   */
  async newEnvironment(name: string, { keepBefore = false } = {}) {
    const key = keyOf(name);
    const folder = join(this.#deps.appsDir, key);
    const env = await nameEnvironment(folder);
    return {
      dir: environmentIn(folder, env),
      /** Makes it the live one, atomically. Keeps the previous one for a rollback and removes the one before that. */
      switchTo: async (app: StoredVersion['app']): Promise<void> => {
        await this.#changePointer(key, () => pointerTo({ app, env }, this.#pointers.get(key)));
        // The app is installed from here on, even if the clean-up fails.
        if (!keepBefore) await this.removeUnused(name);
      },
      /** Removes it, unless it is the live one. */
      discard: async (): Promise<void> => {
        if (this.#pointers.get(key)?.env === env) return;
        await discardEnvironment(folder, env);
      },
    };
  }

  /** Removes the environments of an app that are neither live nor kept for a rollback. Logs failures. */
  async removeUnused(name: string): Promise<void> {
    const key = keyOf(name);
    const folder = join(this.#deps.appsDir, key);
    await removeUnused(folder, this.#pointers.get(key) ?? null).catch((error: unknown) =>
      this.#deps.log.error(`apps: ${folder}`, error),
    );
  }

  /**
   * Makes the previous version live, atomically. What it had saved beside its code is there again, as it was then. Nothing
   * changes if another version is installed meanwhile.
   * @throws AppNotInstalled, NoPreviousVersion
   */
  async rollBack(name: string, how: Pick<Rollback, 'at' | 'automatic' | 'reason'>): Promise<void> {
    const { app, env, previous } = this.#pointer(name);
    if (!previous) throw new NoPreviousVersion(name);
    const { version, source, installedAt } = app;
    const isForward = previous.app.installedAt > installedAt;
    const saved = await savedThen([env, previous.env].map((each) => environmentIn(this.folderOf(name), each)));
    const rolledBack = { from: { version, source, installedAt }, ...how, reason: how.reason + saved };
    await this.#changePointer(keyOf(name), () => {
      const live = this.#pointer(name);
      if (live.env !== env) return live;
      const { pinned } = live;
      return { ...previous, previous: { app, env }, pinned, onTrial: false, rolledBack: isForward ? null : rolledBack };
    });
  }

  /** @throws AppNotInstalled */
  async pin(name: string, pinned: boolean): Promise<void> {
    await this.#changePointer(keyOf(name), () => ({ ...this.#pointer(name), pinned }));
  }

  /** Ends the trial of an update. @throws AppNotInstalled */
  async approve(name: string): Promise<void> {
    await this.#changePointer(keyOf(name), () => ({ ...this.#pointer(name), onTrial: false }));
  }

  /**
   * Assigns an endpoint to a need of an app; null: none. Survives updates and rollbacks, and goes with the app.
   * @throws AppNotInstalled, StorageError
   */
  async assign(name: string, need: string, endpoint: EndpointRef | null): Promise<void> {
    const key = keyOf(name);
    await this.#assigning.run(key, async () => {
      const { app, previous } = this.#pointer(name);
      const known = new Set([...app.needs, ...(previous?.app.needs ?? [])].map((each) => each.name));
      const kept = [...(this.#assigned.get(key) ?? [])].filter(([each]) => each !== need && known.has(each));
      const next = new Map(endpoint ? [...kept, [need, endpoint] as const] : kept);
      await writeAssignments(this.folderOf(name), next).catch((error: unknown) => {
        this.#pointer(name); // throws if the app was removed meanwhile
        throw error;
      });
      this.#pointer(name);
      this.#assigned.set(key, next);
      this.#changed();
    });
  }

  /** Sets the update that the source of an app offers. Not stored: it is looked up again after each start. */
  offer(name: string, offered: OfferedUpdate): void {
    this.#updates.set(keyOf(name), offered);
    this.#changed();
  }

  /** Sets the reset of an app that can be undone; null: none. */
  setReset(name: string, reset: InstalledApp['reset']): void {
    const key = keyOf(name);
    if ((this.#resets.get(key) ?? null)?.at === reset?.at) return;
    this.#resets.set(key, reset);
    this.#changed();
  }

  /** Refuses to launch an app, until its removal. @returns a function that ends it; other reasons stay */
  refuseLaunches(name: string, reason: Error): () => void {
    const reasons = this.#refused.get(keyOf(name)) ?? new Set();
    this.#refused.set(keyOf(name), reasons.add(reason));
    return () => void reasons.delete(reason);
  }

  /** Removes an app atomically, and frees the disk in the background. @throws AppNotInstalled */
  async remove(name: string): Promise<void> {
    const key = keyOf(name);
    const folder = this.folderOf(name);
    const pointer = this.#pointer(name);
    const { workDir, log } = this.#deps;
    let aside: string;
    // Before the first await, so that it cannot be started from now on.
    this.#pointers.delete(key);
    this.#list = null;
    try {
      aside = await moveAside(folder, workDir);
    } catch (error) {
      this.#pointers.set(key, pointer);
      this.#list = null;
      throw error;
    }
    this.#updates.delete(key);
    this.#assigned.delete(key);
    this.#resets.delete(key);
    this.#refused.delete(key);
    this.#changed();
    void rm(aside, { recursive: true, force: true }).catch((error: unknown) =>
      log.error(`apps: ${aside} could not be removed`, error),
    );
  }

  /** @throws AppNotInstalled */
  async disk(name: string): Promise<AppDisk> {
    const folder = this.folderOf(name);
    const { env, previous } = this.#pointer(name);
    const [environment, before, files] = await Promise.all([
      folderBytes(environmentIn(folder, env)),
      previous ? folderBytes(environmentIn(folder, previous.env)) : 0,
      folderBytes(join(folder, 'files')),
    ]);
    return { environment, previous: before, files };
  }

  #pointer(name: string): AppPointer {
    const pointer = this.#pointers.get(keyOf(name));
    if (!pointer) throw new AppNotInstalled(name);
    return pointer;
  }

  /** Writes the pointer, and thereby switches the live version. @param change makes it from the present one */
  async #changePointer(key: string, change: () => AppPointer): Promise<void> {
    await this.#switching.run(key, async () => {
      const pointer = change();
      await writeJsonFile(join(this.#deps.appsDir, key, POINTER), pointer);
      this.#pointers.set(key, pointer);
      if (this.#updates.get(key)?.update?.commit === commitOf(pointer.app.source)) this.#updates.delete(key);
      this.#changed();
    });
  }

  #changed(): void {
    this.#list = null;
    this.#deps.publish({ type: 'installed-apps.changed', installedApps: this.list() });
  }
}
