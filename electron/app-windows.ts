import { bringToFront } from './bring-to-front.ts';
import type { ElectronHost, HostWindow } from './electron-host.ts';
import { grantOnly, lockedDown, type WindowGuard } from './security.ts';

/** The settings page of an app. */
export interface AppPage {
  readonly appName: string;
  readonly title: string;
  readonly url: string;
}

/**
 * The windows of apps' settings pages. A settings page is untrusted: each has a sandboxed window without permissions and
 * its own session, so that two apps on one port share neither cookies nor a cache.
 */
export class AppWindows {
  readonly #host: ElectronHost;
  readonly #guard: WindowGuard;
  readonly #open = new Map<string, HostWindow>();

  constructor(host: ElectronHost, guard: WindowGuard) {
    this.#host = host;
    this.#guard = guard;
  }

  /** Opens the page, or shows its open window. */
  show({ appName, title, url }: AppPage): void {
    const window = this.#open.get(appName) ?? this.#create(appName, title);
    // Also for an open window: after an update the app may use another port.
    this.#guard.allow(window.webContents, { origin: new URL(url).origin, onLink: () => {} });
    window.loadURL(url).catch(() => {}); // the app has ended; the window shows Chromium's error page
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
    // The window keeps the app's title, whatever its page sets.
    window.on('page-title-updated', (event) => event.preventDefault());
    window.on('closed', () => this.#open.delete(appName));
    this.#open.set(appName, window);
    return window;
  }
}
