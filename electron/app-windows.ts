import { displayText } from '../daemon/shared/display-text.ts';
import type { AppSessions } from './app-sessions.ts';
import { bringToFront } from './bring-to-front.ts';
import type { ElectronHost, HostWindow } from './electron-host.ts';
import { lockedDown, type WindowGuard } from './security.ts';

/** The settings page of an app. */
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

  /** Opens the page, or shows its open window. */
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
