import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { displayText } from '../daemon/shared/display-text.ts';
import { errorText } from '../daemon/shared/logger.ts';
import { bringToFront, type ElectronHost, type HostSession, type HostWindow } from './electron-host.ts';
import { lockedDown, type WindowGuard } from './security.ts';
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

export interface AppPage {
  readonly appName: string;
  readonly title: string;
  readonly url: string;
}

/** The longest title of an app in the title of its window, in characters. */
const TITLE_LIMIT = 60;

/**
 * The windows of apps' settings pages. A settings page is untrusted: each has a sandboxed window without permissions and
 * its own session, so that two apps on one port share neither cookies nor a cache.
 */
export class AppWindows {
  readonly #host: ElectronHost;
  readonly #guard: WindowGuard;
  readonly #sessions: AppSessions;
  readonly #open = new Map<string, HostWindow>();

  constructor(host: ElectronHost, guard: WindowGuard, sessions: AppSessions) {
    this.#host = host;
    this.#guard = guard;
    this.#sessions = sessions;
  }

  show({ appName, title, url }: AppPage): void {
    const { origin } = new URL(url);
    const partition = this.#sessions.open(appName, title, origin);
    const window = this.#open.get(appName) ?? this.#create(partition, appName, title);
    // Also for an open window: after an update the app may use another port.
    this.#guard.allow(window.webContents, { origin, onLink: () => {} });
    window.loadURL(url).catch(() => {}); // the app has ended; the window shows Chromium's error page
    bringToFront(window);
  }

  /** Closes the windows of all other apps, and deletes what their pages have saved. */
  async keepOnly(appNames: readonly string[]): Promise<void> {
    // Destroyed, not closed: as a page unloads it could still save something.
    for (const [appName, window] of this.#open) if (!appNames.includes(appName)) window.destroy();
    await this.#sessions.keepOnly(appNames);
  }

  #create(partition: string, appName: string, title: string): HostWindow {
    const window = this.#host.openWindow({
      name: `app-${appName}`,
      windowStatePersistence: true,
      // As the link to it says, so that it does not pass for the dashboard.
      title: `Settings of ${displayText(title, TITLE_LIMIT)}`,
      width: 760,
      height: 720,
      webPreferences: { ...lockedDown, partition },
    });
    // The window keeps this title, whatever its page sets.
    window.on('page-title-updated', (event) => event.preventDefault());
    window.on('closed', () => this.#open.delete(appName));
    this.#open.set(appName, window);
    return window;
  }
}
