import { bringToFront } from './bring-to-front.ts';
import type { ElectronHost, HostWindow } from './electron-host.ts';
import { grantOnly, isOutsideLink, lockedDown, type WindowGuard } from './security.ts';

/** A page that crashes over and over is not loaded for ever. */
const RELOADS = { most: 3, withinMs: 60_000 };

/** The window that shows the dashboard. */
export class MainWindow {
  readonly #window: HostWindow;
  readonly #url: string;

  /** @param deps.openApp a link to a page that is none of ours was followed: an app's or a Space's, perhaps */
  constructor(deps: {
    host: ElectronHost;
    guard: WindowGuard;
    url: string;
    iconFile: string;
    openApp: (url: string) => void;
  }) {
    const { host, guard, url, iconFile, openApp } = deps;
    this.#url = url;
    const { origin } = new URL(url);
    grantOnly(host.session.defaultSession, { origin, permissions: ['clipboard-sanitized-write'] });
    const window = host.openWindow({
      // Its place and size are kept under this name.
      name: 'main',
      windowStatePersistence: true,
      title: 'Robot Desktop',
      icon: iconFile,
      width: 1180,
      height: 820,
      minWidth: 400,
      minHeight: 480,
      // Shown at once, in the dashboard's own colour: on some desktops the word that a page is ready never comes.
      backgroundColor: host.isDark() ? '#151413' : '#FAF9F6',
      webPreferences: lockedDown,
    });
    this.#window = window;
    guard.allow(window.webContents, {
      origin,
      onLink: (link) => (isOutsideLink(link) ? host.openOutside(link) : openApp(link)),
    });
    // The end of a session on Windows, where `before-quit` does not come.
    window.on('query-session-end', (event) => {
      event.preventDefault();
      host.app.quit();
    });
    window.webContents.on('render-process-gone', reloadAFewTimes(window));
  }

  /** Shows a page of the dashboard, `#/apps`. */
  show(hash: string): void {
    // Fails when the window is closed meanwhile, or the daemon has ended: then nobody looks, or the page says it.
    this.#window.loadURL(`${this.#url}/${hash}`).catch(() => {});
  }

  focus(): void {
    bringToFront(this.#window);
  }

  setTitle(title: string): void {
    this.#window.setTitle(title);
  }

  onClosed(listener: () => void): void {
    this.#window.on('closed', listener);
  }
}

function reloadAFewTimes(window: HostWindow): () => void {
  let crashes: number[] = [];
  return () => {
    const now = performance.now();
    crashes = [...crashes.filter((at) => now - at < RELOADS.withinMs), now];
    if (crashes.length <= RELOADS.most) window.webContents.reload();
    else window.close();
  };
}
