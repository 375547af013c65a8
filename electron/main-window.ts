import type { NativeImage } from 'electron';
import type { Clock } from '../daemon/shared/clock.ts';
import { errorText } from '../daemon/shared/logger.ts';
import { isOutsideLink } from './addresses.ts';
import { bringToFront, type ElectronHost, type HostWindow } from './electron-host.ts';
import { lockedDown, type WindowGuard } from './security.ts';
import { quitAtSessionEnd } from './system-events.ts';

/** How often a crashed page is reloaded. */
const RELOADS = { most: 3, withinMs: 60_000 };
/** How often a page that could not be loaded is tried again, and after which pause. */
const LOADS_AGAIN = { most: 3, afterMs: 500 };

export class MainWindow {
  readonly #window: HostWindow;
  readonly #url: string;
  readonly #clock: Clock;
  /** The address that was shown last; null: the window is closed. */
  #shown: string | null = '';

  /**
   * @param deps.openApp called for a link to another page: of an app or a Space, perhaps
   * @param deps.isMinimized whether it begins in the task bar
   */
  constructor(deps: {
    host: ElectronHost;
    guard: WindowGuard;
    url: string;
    iconFile: string;
    openApp: (url: string) => void;
    clock: Clock;
    isMinimized: boolean;
  }) {
    const { host, guard, url, iconFile, openApp, clock, isMinimized } = deps;
    this.#url = url;
    this.#clock = clock;
    const { origin } = new URL(url);
    const window = host.openWindow({
      // Its position and size are saved under this name.
      name: 'main',
      windowStatePersistence: true,
      title: 'Robot Desktop',
      icon: iconFile,
      width: 1180,
      height: 820,
      minWidth: 400,
      minHeight: 480,
      show: !isMinimized,
      // Shown at once in the dashboard's colour: on some desktops the ready event never comes.
      backgroundColor: host.isDark() ? '#151413' : '#FAF9F6',
      webPreferences: lockedDown,
    });
    this.#window = window;
    if (isMinimized) window.minimize();
    guard.allow(window.webContents, {
      origin,
      onLink: (link) => (isOutsideLink(link) ? host.openOutside(link) : openApp(link)),
    });
    quitAtSessionEnd(window, host);
    window.webContents.on('render-process-gone', reloadAFewTimes(window, clock));
    window.on('closed', () => {
      this.#shown = null;
    });
  }

  /** Shows a page of the dashboard, `#/apps`. */
  show(hash: string): void {
    this.#shown = `${this.#url}/${hash}`;
    void this.#load(this.#shown, 0);
  }

  /** Tries again, since an empty window helps nobody. Never rejects. */
  async #load(url: string, failures: number): Promise<void> {
    try {
      await this.#window.loadURL(url);
    } catch (error) {
      // Closed, or another page has taken its place.
      if (this.#shown !== url || (error as { code?: unknown }).code === 'ERR_ABORTED') return;
      console.error(errorText(error));
      if (failures === LOADS_AGAIN.most) return;
      this.#clock.after(LOADS_AGAIN.afterMs, () => {
        if (this.#shown === url) void this.#load(url, failures + 1);
      });
    }
  }

  focus(): void {
    bringToFront(this.#window);
  }

  setTitle(title: string): void {
    this.#window.setTitle(title);
  }

  /** Shows a dot at the program's icon in the task bar of Windows, or none. @param text for screen readers */
  showDot(dot: NativeImage | null, text: string): void {
    this.#window.setOverlayIcon(dot, text);
  }

  /** Calls the listener when its user closes it, which may prevent that. */
  onClosing(listener: (event: { preventDefault(): void }) => void): void {
    this.#window.on('close', listener);
  }
  onClosed(listener: () => void): void {
    this.#window.on('closed', listener);
  }

  /** Closes it without a question. */
  destroy(): void {
    this.#window.destroy();
  }
}

/**
 * Reloads a page whose process has ended; after too many times, closes the window. Not within the event: Electron still
 * takes the process apart, and a load that starts then can end the whole program.
 */
function reloadAFewTimes(window: HostWindow, clock: Clock): () => void {
  let crashes: number[] = [];
  let next: NodeJS.Immediate | undefined;
  window.on('closed', () => clearImmediate(next));
  return () => {
    const nowMs = clock.elapsedMs();
    crashes = [...crashes.filter((atMs) => nowMs - atMs < RELOADS.withinMs), nowMs];
    clearImmediate(next);
    next = setImmediate(() => {
      if (crashes.length <= RELOADS.most) window.webContents.reload();
      else window.close();
    });
  };
}
