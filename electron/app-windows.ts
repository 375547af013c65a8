import type { ElectronHost, HostWindow } from './electron-host.ts';
import { grantOnly, isOutsideLink, lockedDown, type WindowGuard } from './security.ts';

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
    const window = this.#open.get(appName) ?? this.#create(appName, title, new URL(url).origin);
    // Again for an open one too: the app may have been started anew since.
    window.loadURL(url).catch(() => {}); // the app has ended meanwhile; the window shows Chromium's own page for that
    if (window.isMinimized()) window.restore();
    window.focus();
  }

  #create(appName: string, title: string, origin: string): HostWindow {
    const partition = `persist:app-${appName}`;
    grantOnly(this.#host.session.fromPartition(partition), { origin, permissions: [] });
    const window = this.#host.openWindow({
      name: `app-${appName}`,
      windowStatePersistence: true,
      title,
      width: 760,
      height: 720,
      webPreferences: { ...lockedDown, partition },
    });
    this.#guard.allow(window.webContents, {
      origin,
      onLink: (link) => {
        if (isOutsideLink(link)) void this.#host.shell.openExternal(link);
      },
    });
    // The window is named after the app, whatever its page calls itself.
    window.on('page-title-updated', (event) => event.preventDefault());
    window.on('closed', () => this.#open.delete(appName));
    this.#open.set(appName, window);
    return window;
  }
}
