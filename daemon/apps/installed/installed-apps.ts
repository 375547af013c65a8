import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { commitOf } from '../../contract/apps/app-source.ts';
import type { AppDisk, InstalledApp, Rollback } from '../../contract/apps/apps.ts';
import type { Publish } from '../../shared/async/event-bus.ts';
import { folderBytes } from '../../shared/files/folder-size.ts';
import { readJsonFile, writeJsonFile } from '../../shared/files/json-file.ts';
import type { Logger } from '../../shared/logger.ts';
import { pythonIn } from '../python/python-env.ts';
import { AppPointer, type KeptVersion, POINTER } from './app-pointer.ts';
import { AppNotInstalled, NoPreviousVersion } from './errors.ts';

/** An environment under construction, beside the live one. */
export interface NewEnvironment {
  readonly dir: string;
  /** Makes it the live one, in one step. The one before stays for a rollback; the one before that goes. */
  switchTo(app: KeptVersion['app']): Promise<void>;
  /** Leaves no trace of it. */
  discard(): Promise<void>;
}

/** How an installed app is launched. */
export interface AppLaunch {
  readonly app: InstalledApp;
  readonly python: string;
  /** The working directory of its runs, kept over updates. */
  readonly workDir: string;
}

export interface InstalledAppsDeps {
  readonly appsDir: string;
  /** Where what is removed goes first, on the same file system; emptied at each start. */
  readonly workDir: string;
  readonly publish: Publish;
  readonly log: Logger;
}

/** The apps that are ready to start: in the data folder one folder an app, with `current.json`, `envs/` and `files/`. */
export class InstalledApps {
  readonly #deps: InstalledAppsDeps;
  readonly #pointers = new Map<string, AppPointer>();
  readonly #updates = new Map<string, Pick<InstalledApp, 'update' | 'updateProblem'>>();
  #list: InstalledApp[] | null = null;

  constructor(deps: InstalledAppsDeps) {
    this.#deps = deps;
  }

  /** Reads what is installed, and removes what a daemon that was killed left half made. */
  async load(): Promise<void> {
    const { appsDir, log } = this.#deps;
    await mkdir(appsDir, { recursive: true });
    for (const key of await readdir(appsDir)) {
      const folder = join(appsDir, key);
      try {
        const pointer = await readJsonFile(join(folder, POINTER), AppPointer);
        if (pointer) this.#pointers.set(key, pointer);
        await this.#sweep(folder, pointer, (env) => this.#putAside(env));
      } catch (error) {
        // What cannot be read is left as it is: it may be all that a user has.
        log.error(`apps: ${folder} is left out`, error);
      }
    }
    this.#list = null;
  }

  list(): InstalledApp[] {
    this.#list ??= this.#describeAll();
    return this.#list;
  }

  /** @returns null when no app of that name, in whatever spelling, is installed */
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

  /** How to launch an app. @throws AppNotInstalled */
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

  /** A place to build an environment in, beside the live one. */
  async newEnvironment(name: string): Promise<NewEnvironment> {
    const key = appKey(name);
    const folder = join(this.#deps.appsDir, key);
    const env = randomBytes(6).toString('hex');
    const dir = join(folder, 'envs', env);
    await mkdir(join(folder, 'envs'), { recursive: true });
    return {
      dir,
      switchTo: async (app) => {
        const before = this.#pointers.get(key);
        const previous = before ? { app: before.app, env: before.env } : null;
        await this.#point(key, { app, env, previous, pinned: false, onTrial: previous !== null, rolledBack: null });
        // From here on the app is installed, whatever becomes of the tidying up.
        await this.#sweep(folder, this.#pointers.get(key) ?? null, remove).catch((error: unknown) =>
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

  /** Makes the version before the live one, in one step. @throws AppNotInstalled, NoPreviousVersion */
  async rollBack(name: string, how: Pick<Rollback, 'at' | 'automatic' | 'reason'>): Promise<void> {
    const { app, env, previous, pinned } = this.#pointer(name);
    if (!previous) throw new NoPreviousVersion(name);
    const { version, source, installedAt } = app;
    const isForward = previous.app.installedAt > installedAt;
    await this.#point(appKey(name), {
      ...previous,
      previous: { app, env },
      pinned,
      onTrial: false,
      rolledBack: isForward ? null : { from: { version, source, installedAt }, ...how },
    });
  }

  /** @throws AppNotInstalled */
  async pin(name: string, pinned: boolean): Promise<void> {
    await this.#point(appKey(name), { ...this.#pointer(name), pinned });
  }

  /** Ends the trial of an update. @throws AppNotInstalled */
  async approve(name: string): Promise<void> {
    await this.#point(appKey(name), { ...this.#pointer(name), onTrial: false });
  }

  /** Tells what the source of an app offers. Not kept: it is asked anew after each start. */
  offer(name: string, update: InstalledApp['update']): void {
    this.#updates.set(appKey(name), { update, updateProblem: null });
    this.#changed();
  }

  /** Tells why it is not known what the source of an app offers; what was known before still counts. */
  offerUnknown(name: string, updateProblem: string): void {
    this.#updates.set(appKey(name), { update: this.#updates.get(appKey(name))?.update ?? null, updateProblem });
    this.#changed();
  }

  /** Removes an app whole, in one step; freeing the disk goes on after that. @throws AppNotInstalled */
  async remove(name: string): Promise<void> {
    const key = appKey(name);
    const folder = this.folderOf(name);
    const pointer = this.#pointer(name);
    const { workDir, log } = this.#deps;
    const aside = join(workDir, `removed-${randomBytes(6).toString('hex')}`);
    // Before any wait: from now on it cannot be started.
    this.#pointers.delete(key);
    this.#list = null;
    try {
      await mkdir(workDir, { recursive: true });
      await rename(folder, aside);
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

  /** The one way in which what is live changes. */
  async #point(key: string, pointer: AppPointer): Promise<void> {
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

  /** Rids an app's folder of environments that its pointer does not name; without one, of all that an install made. */
  async #sweep(folder: string, pointer: AppPointer | null, discard: (path: string) => Promise<unknown>): Promise<void> {
    const envs = join(folder, 'envs');
    for (const env of await readdir(envs).catch(() => [])) {
      if (env !== pointer?.env && env !== pointer?.previous?.env) await discard(join(envs, env));
    }
    if (!pointer) await removeIfEmpty(envs, folder);
  }

  /** At a start, which must not wait: the disk is freed together with the rest of what was in work. */
  async #putAside(path: string): Promise<void> {
    const { workDir } = this.#deps;
    await mkdir(workDir, { recursive: true });
    await rename(path, join(workDir, `removed-${randomBytes(6).toString('hex')}`));
  }
}

const remove = (path: string) => rm(path, { recursive: true, force: true });

/** Only where nothing else is: an app whose record is lost or cannot be read keeps its files. */
async function removeIfEmpty(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rmdir(folder).catch(() => {});
}

const inEnglish = new Intl.Collator('en');

/** One key for the spellings that a file system or a package index would take for one another. */
export function appKey(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}
