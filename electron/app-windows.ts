import { bringToFront } from './bring-to-front.ts';
import type { ElectronHost, HostWindow } from './electron-host.ts';
import { grantOnly, lockedDown, type WindowGuard } from './security.ts';

/** The page of an app, as the daemon knows it. */
export interface AppPage {
  readonly appName: string;
  readonly title: string;
  readonly url: string;
}

/**
 * The windows of apps' own pages. An app's page is a stranger: its own sandboxed window without any permission, and a
 * session of its own, so that two apps on one port share neither cookies nor a cache.
 */
export class AppWindows {
  readonly #host: ElectronHost;
  readonly #guard: WindowGuard;
  readonly #open = new Map<string, HostWindow>();

  constructor(host: ElectronHost, guard: WindowGuard) {
    this.#host = host;
    this.#guard = guard;
  }

  /** Opens the page, or shows it where it is open already. */
  show({ appName, title, url }: AppPage): void {
    const window = this.#open.get(appName) ?? this.#create(appName, title);
    // For an open one too: the app may have been started anew since, at another port after an update.
    this.#guard.allow(window.webContents, { origin: new URL(url).origin, onLink: () => {} });
    window.loadURL(url).catch(() => {}); // the app has ended meanwhile; the window shows Chromium's own page for that
    bringToFront(window);
  }

  #create(appName: string, title: string): HostWindow {
    const partition = `persist:app-${appName}`;
    grantOnly(this.#host.session.fromPartition(partition), { origin: '', permissions: [] });
    const window = this.#host.openWindow({
      name: `app-${appName}`,
      windowStatePersistence: true,
      title,
      width: 760,
      height: 720,
      webPreferences: { ...lockedDown, partition },
    });
    // The window is named after the app, whatever its page calls itself.
    window.on('page-title-updated', (event) => event.preventDefault());
    window.on('closed', () => this.#open.delete(appName));
    this.#open.set(appName, window);
    return window;
  }
}
