import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '../daemon/shared/error-text.ts';
import type { ElectronHost, HostSession } from './electron-host.ts';
import { limitSession } from './session-limits.ts';

/** The sessions of apps' pages: each app has its own cookies, storage and cache, which end with its removal. */
export class AppSessions {
  readonly #sessions: ElectronHost['session'];
  /** The folder in which Electron keeps one folder for each partition. */
  readonly #partitionsDir: string;
  /** The sessions that this process has opened, by app, with where its page is, or last was. */
  readonly #opened = new Map<string, { readonly session: HostSession; origin: string }>();

  /** @param profileDir the folder of Electron's profile, its `userData` */
  constructor({ session }: Pick<ElectronHost, 'session'>, profileDir: string) {
    this.#sessions = session;
    this.#partitionsDir = join(profileDir, 'Partitions');
  }

  /**
   * Opens the session of an app for a page at an origin, which may differ from the last one.
   * @param title the app's title, for the dialogs that ask the user
   * @returns the name of its partition
   */
  open(appName: string, title: string, origin: string): string {
    const partition = `persist:app-${appName}`;
    const opened = this.#opened.get(appName);
    if (opened) opened.origin = origin;
    else {
      const own = { session: this.#sessions.fromPartition(partition), origin };
      this.#opened.set(appName, own);
      limitSession(own.session, { origin: () => own.origin, permissions: [], owner: title });
    }
    return partition;
  }

  /** Deletes what the pages of all other apps have saved, so that a later app of that name finds nothing. */
  async keepOnly(appNames: readonly string[]): Promise<void> {
    const opened = [...this.#opened].filter(([name]) => !appNames.includes(name));
    const deleted = await Promise.allSettled([
      ...opened.map(([, { session }]) => session.clearStorageData()),
      ...opened.map(([, { session }]) => session.clearCache()),
      this.#removeFolders([...appNames, ...this.#opened.keys()]),
    ]);
    for (const each of deleted) if (each.status === 'rejected') console.error(errorText(each.reason));
  }

  /** Of apps that are neither installed nor open: Chromium still writes to the folder of an open one. */
  async #removeFolders(kept: readonly string[]): Promise<void> {
    // Electron writes their names in lower case.
    const names = new Set(kept.map((name) => `app-${name.toLowerCase()}`));
    const found = await readdir(this.#partitionsDir).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const stale = found.filter((folder) => folder.startsWith('app-') && !names.has(folder));
    await Promise.all(stale.map((folder) => rm(join(this.#partitionsDir, folder), { recursive: true, force: true })));
  }
}
