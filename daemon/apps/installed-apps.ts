import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { InstalledApp } from '../contract/apps.ts';
import type { Publish } from '../shared/event-bus.ts';
import { readJsonFile, writeJsonFile } from '../shared/json-file.ts';
import type { Logger } from '../shared/logger.ts';
import type { AppLaunch } from './app-runner.ts';
import { AppNotInstalled } from './errors.ts';
import { pythonIn } from './python-env.ts';

/**
 * The pointer of an app: which of its environments is live. Replacing this small file is the switch, so an install
 * has happened whole or not at all. Environments stay where they were built; they do not survive being moved.
 */
const AppPointer = z.object({ app: InstalledApp, env: z.string(), previousEnv: z.string().nullable() });
type AppPointer = z.infer<typeof AppPointer>;

const POINTER = 'current.json';

/** An environment under construction, beside the live one. */
export interface NewEnvironment {
  readonly dir: string;
  /** Makes it the live one, in one step. The one before stays for a rollback; the one before that goes. */
  switchTo(app: InstalledApp): Promise<void>;
  /** Leaves no trace of it. */
  discard(): Promise<void>;
}

/** The apps that are ready to start: in the data folder one folder an app, with `current.json`, `envs/` and `files/`. */
export class InstalledApps {
  readonly #deps: { appsDir: string; publish: Publish; log: Logger };
  readonly #pointers = new Map<string, AppPointer>();

  constructor(deps: { appsDir: string; publish: Publish; log: Logger }) {
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
        await this.#sweep(folder, pointer);
      } catch (error) {
        // What cannot be read is left as it is: it may be all that a user has.
        log.error(`apps: ${folder} is left out`, error);
      }
    }
  }

  list(): InstalledApp[] {
    const apps = [...this.#pointers.values()].map((pointer) => pointer.app);
    return apps.sort((a, b) => a.title.localeCompare(b.title, 'en'));
  }

  /** @returns null when no app of that name, in whatever spelling, is installed */
  find(name: string): InstalledApp | null {
    return this.#pointers.get(appKey(name))?.app ?? null;
  }

  /** How to launch an app. @throws AppNotInstalled */
  launch(name: string): AppLaunch {
    const key = appKey(name);
    const pointer = this.#pointers.get(key);
    if (pointer?.app.name !== name) throw new AppNotInstalled(name);
    const folder = join(this.#deps.appsDir, key);
    return { app: pointer.app, python: pythonIn(join(folder, 'envs', pointer.env)), workDir: join(folder, 'files') };
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
        const pointer = { app, env, previousEnv: this.#pointers.get(key)?.env ?? null };
        await writeJsonFile(join(folder, POINTER), pointer);
        this.#pointers.set(key, pointer);
        this.#deps.publish({ type: 'installed-apps.changed', installedApps: this.list() });
        // From here on the app is installed, whatever becomes of the tidying up.
        await this.#sweep(folder, pointer).catch((error: unknown) => this.#deps.log.error(`apps: ${folder}`, error));
      },
      discard: async () => {
        if (this.#pointers.get(key)?.env === env) return;
        await rm(dir, { recursive: true, force: true });
        // Only where nothing else is: an app that could not be read keeps its files.
        await rmdir(join(folder, 'envs'))
          .then(() => rmdir(folder))
          .catch(() => {});
      },
    };
  }

  async #sweep(folder: string, pointer: AppPointer | null): Promise<void> {
    if (!pointer) {
      await rm(folder, { recursive: true, force: true });
      return;
    }
    const envs = join(folder, 'envs');
    for (const env of await readdir(envs)) {
      if (env !== pointer.env && env !== pointer.previousEnv)
        await rm(join(envs, env), { recursive: true, force: true });
    }
  }
}

/** One key for the spellings that a file system or a package index would take for one another. */
export function appKey(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}
