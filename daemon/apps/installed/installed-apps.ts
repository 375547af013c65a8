import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AppSource, commitOf, isSameContent } from '../../contract/apps/app-source.ts';
import type { AppDisk, InstalledApp, Rollback } from '../../contract/apps/apps.ts';
import type { Publish } from '../../shared/async/event-bus.ts';
import { discardedName } from '../../shared/files/discarded-folder.ts';
import { folderBytes } from '../../shared/files/folder-size.ts';
import { readJsonFile, writeJsonFile } from '../../shared/files/json-file.ts';
import { makeFolder } from '../../shared/files/make-folder.ts';
import { DiskFull, savingIn } from '../../shared/files/storage-errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { pythonIn } from '../python/python-env.ts';
import { AppPointer, POINTER, type StoredVersion } from './app-pointer.ts';
import { AppNotInstalled, NoPreviousVersion } from './errors.ts';

/** An environment under construction, beside the live one. */
export interface NewEnvironment {
  readonly dir: string;
  /** Makes it the live one, atomically. Keeps the previous one for a rollback and removes the one before that. */
  switchTo(app: StoredVersion['app']): Promise<void>;
  /** Removes it. */
  discard(): Promise<void>;
}

/** The launch parameters of an installed app. */
export interface AppLaunch {
  readonly app: InstalledApp;
  readonly python: string;
  /** The working directory of its runs, kept over updates. */
  readonly workDir: string;
}

export interface InstalledAppsDeps {
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
  readonly #updates = new Map<string, Pick<InstalledApp, 'update' | 'updateProblem'>>();
  #list: InstalledApp[] | null = null;

  constructor(deps: InstalledAppsDeps) {
    this.#deps = deps;
  }

  /** Loads the installed apps, and removes unfinished environments of a daemon that was killed. */
  async load(): Promise<void> {
    const { appsDir, log } = this.#deps;
    await mkdir(appsDir, { recursive: true }).catch(() => {}); // a full disk; the first install tries again
    for (const key of await namesIn(appsDir)) {
      const folder = join(appsDir, key);
      try {
        const pointer = await readJsonFile(join(folder, POINTER), AppPointer);
        if (pointer) this.#pointers.set(key, pointer);
        await this.#removeUnused(folder, pointer, (env) => this.#moveAside(env));
      } catch (error) {
        // An unreadable folder is kept: it may hold the user's only files.
        log.error(`apps: ${folder} is ignored`, error);
      }
    }
    this.#list = null;
  }

  list(): InstalledApp[] {
    this.#list ??= this.#describeAll();
    return this.#list;
  }

  /** Finds an app by any spelling of its name. @returns null when it is not installed */
  find(name: string): InstalledApp | null {
    const app = this.#pointers.get(appKey(name))?.app;
    return (app && this.list().find((each) => each.name === app.name)) ?? null;
  }

  /** @throws AppNotInstalled */
  get(name: string): InstalledApp {
    const app = this.find(name);
    if (app?.name !== name) throw new AppNotInstalled(name);
    return app;
  }

  /** The launch parameters of an app. @throws AppNotInstalled */
  launch(name: string): AppLaunch {
    const app = this.get(name);
    const folder = this.folderOf(name);
    const { env } = this.#pointer(name);
    return { app, python: pythonIn(join(folder, 'envs', env)), workDir: join(folder, 'files') };
  }

  /** The folder of an installed app. @throws AppNotInstalled */
  folderOf(name: string): string {
    return join(this.#deps.appsDir, appKey(this.get(name).name));
  }

  /** Creates a folder for a new environment beside the live one. */
  async newEnvironment(name: string): Promise<NewEnvironment> {
    const key = appKey(name);
    const folder = join(this.#deps.appsDir, key);
    const env = randomBytes(6).toString('hex');
    const dir = join(folder, 'envs', env);
    await makeFolder(join(folder, 'envs'));
    return {
      dir,
      switchTo: async (app) => {
        const before = this.#pointers.get(key);
        const previous = before ? { app: before.app, env: before.env } : null;
        await this.#writePointer(key, {
          app,
          env,
          previous,
          pinned: false,
          // The same content again, such as after a repair, is no update.
          onTrial: previous !== null && !isSameVersion(previous.app.source, app.source),
          rolledBack: null,
        });
        // The app is installed from here on, even if the clean-up fails.
        await this.#removeUnused(folder, this.#pointers.get(key) ?? null, remove).catch((error: unknown) =>
          this.#deps.log.error(`apps: ${folder}`, error),
        );
      },
      discard: async () => {
        if (this.#pointers.get(key)?.env === env) return;
        await remove(dir);
        await removeIfEmpty(join(folder, 'envs'), folder);
      },
    };
  }

  /** Makes the previous version live, atomically. @throws AppNotInstalled, NoPreviousVersion */
  async rollBack(name: string, how: Pick<Rollback, 'at' | 'automatic' | 'reason'>): Promise<void> {
    const { app, env, previous, pinned } = this.#pointer(name);
    if (!previous) throw new NoPreviousVersion(name);
    const { version, source, installedAt } = app;
    const isForward = previous.app.installedAt > installedAt;
    await this.#writePointer(appKey(name), {
      ...previous,
      previous: { app, env },
      pinned,
      onTrial: false,
      rolledBack: isForward ? null : { from: { version, source, installedAt }, ...how },
    });
  }

  /** @throws AppNotInstalled */
  async pin(name: string, pinned: boolean): Promise<void> {
    await this.#writePointer(appKey(name), { ...this.#pointer(name), pinned });
  }

  /** Ends the trial of an update. @throws AppNotInstalled */
  async approve(name: string): Promise<void> {
    await this.#writePointer(appKey(name), { ...this.#pointer(name), onTrial: false });
  }

  /** Sets the update that the source of an app offers. Not stored: it is looked up again after each start. */
  offer(name: string, update: InstalledApp['update']): void {
    this.#updates.set(appKey(name), { update, updateProblem: null });
    this.#changed();
  }

  /** Sets the reason why an update check failed. An update that was found before stays offered. */
  offerUnknown(name: string, updateProblem: string): void {
    this.#updates.set(appKey(name), { update: this.#updates.get(appKey(name))?.update ?? null, updateProblem });
    this.#changed();
  }

  /** Removes an app atomically, and frees the disk in the background. @throws AppNotInstalled */
  async remove(name: string): Promise<void> {
    const key = appKey(name);
    const folder = this.folderOf(name);
    const pointer = this.#pointer(name);
    const { log } = this.#deps;
    let aside: string;
    // Before the first await, so that it cannot be started from now on.
    this.#pointers.delete(key);
    this.#list = null;
    try {
      aside = await this.#moveAside(folder);
    } catch (error) {
      this.#pointers.set(key, pointer);
      this.#list = null;
      throw error;
    }
    this.#updates.delete(key);
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
      folderBytes(join(folder, 'envs', env)),
      previous ? folderBytes(join(folder, 'envs', previous.env)) : 0,
      folderBytes(join(folder, 'files')),
    ]);
    return { environment, previous: before, files };
  }

  #pointer(name: string): AppPointer {
    const pointer = this.#pointers.get(appKey(name));
    if (!pointer) throw new AppNotInstalled(name);
    return pointer;
  }

  /** Writes the pointer, and thereby switches the live version. */
  async #writePointer(key: string, pointer: AppPointer): Promise<void> {
    await writeJsonFile(join(this.#deps.appsDir, key, POINTER), pointer);
    this.#pointers.set(key, pointer);
    if (this.#updates.get(key)?.update?.commit === commitOf(pointer.app.source)) this.#updates.delete(key);
    this.#changed();
  }

  #changed(): void {
    this.#list = null;
    this.#deps.publish({ type: 'installed-apps.changed', installedApps: this.list() });
  }

  #describeAll(): InstalledApp[] {
    const byPort = Map.groupBy(this.#pointers.values(), ({ app }) => app.settingsPage?.port);
    const apps = [...this.#pointers].map(([key, { app, previous, pinned, onTrial, rolledBack }]): InstalledApp => {
      const neighbours = app.settingsPage ? (byPort.get(app.settingsPage.port) ?? []) : [];
      return {
        ...app,
        previous: previous && {
          version: previous.app.version,
          source: previous.app.source,
          installedAt: previous.app.installedAt,
        },
        pinned,
        onTrial,
        rolledBack,
        ...(this.#updates.get(key) ?? { update: null, updateProblem: null }),
        sharesPortWith: neighbours.map((each) => each.app.name).filter((name) => name !== app.name),
      };
    });
    return apps.sort((a, b) => inEnglish.compare(a.title, b.title));
  }

  /** Removes the environments that the pointer does not name; without a pointer, also empty folders of an install. */
  async #removeUnused(
    folder: string,
    pointer: AppPointer | null,
    discard: (path: string) => Promise<unknown>,
  ): Promise<void> {
    const envs = join(folder, 'envs');
    for (const env of await readdir(envs).catch(() => [])) {
      if (env !== pointer?.env && env !== pointer?.previous?.env) await discard(join(envs, env));
    }
    if (!pointer) await removeIfEmpty(envs, folder);
  }

  /**
   * Moves a folder to the work folder, or beside it where a full disk has no room for that folder: to remove an app must
   * take no space. The next start of the daemon removes what is left there. @returns its new path
   */
  async #moveAside(path: string): Promise<string> {
    const { workDir } = this.#deps;
    const inWork = join(workDir, `removed-${randomBytes(6).toString('hex')}`);
    const aside = await makeFolder(workDir).then(
      () => inWork,
      (error: unknown) => {
        if (error instanceof DiskFull) return discardedName(workDir);
        throw error;
      },
    );
    await savingIn(dirname(path), () => rename(path, aside));
    return aside;
  }
}

const isSameVersion = (source: AppSource, other: AppSource): boolean =>
  'commit' in other && isSameContent(source, other);

/** The entries of a folder; none if it does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

const remove = (path: string) => rm(path, { recursive: true, force: true });

/** Removes only empty folders: an app whose record is lost or unreadable keeps its files. */
async function removeIfEmpty(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rmdir(folder).catch(() => {});
}

const inEnglish = new Intl.Collator('en');

/** The same key for all spellings that a file system or a package index treats as the same name. */
export function appKey(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}
