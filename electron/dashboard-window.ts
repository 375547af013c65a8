import { errorText } from '../daemon/shared/logger.ts';
import { closing } from './closing.ts';
import type { DesktopSettings } from './desktop-settings.ts';
import type { ElectronHost } from './electron-host.ts';
import type { MainWindow } from './main-window.ts';
import { lockedDown } from './security.ts';
import { quitAtSessionEnd } from './system-events.ts';
import type { DesktopPresence } from './tray/desktop-presence.ts';

interface DashboardWindowDeps {
  readonly host: ElectronHost;
  readonly platform: NodeJS.Platform;
  readonly settings: DesktopSettings;
  readonly presence: DesktopPresence;
  /** Whether the program ends: nothing is opened or asked any more. */
  readonly isEnding: () => boolean;
  /** Whether the daemon ends with this program. */
  readonly hasOwnDaemon: () => boolean;
}

/** The one window of the dashboard: opened when it is needed, closed as its user chose. */
export class DashboardWindow {
  readonly #deps: DashboardWindowDeps;
  #open: ((isMinimized: boolean) => MainWindow) | null = null;
  #window: MainWindow | null = null;
  /** The page that was asked for before the window could be opened, by a link. */
  #waitingPage: string | undefined;
  /** Whether it was asked for before it could be opened, by a second start. */
  #isWanted = false;
  #isAsking = false;
  /** Whether the program goes on once the window is gone. */
  #keepsRunning = false;
  #badge = 0;
  #endWait = (): void => {};

  constructor(deps: DashboardWindowDeps) {
    this.#deps = deps;
  }

  /**
   * Opens the window for the first time.
   * @param open makes it
   * @param page the page to begin with; undefined: the one that a link asked for, or the dashboard's first one
   * @param isHidden whether to wait in the tray instead, if there is one and no page is asked for
   */
  async begin(open: (isMinimized: boolean) => MainWindow, page: string | undefined, isHidden: boolean): Promise<void> {
    const hasTray = isHidden && (await this.#deps.presence.noTray()) === null;
    const first = page ?? this.#waitingPage;
    const isMinimized = isHidden && first === undefined && !this.#isWanted;
    this.#open = open;
    if (isMinimized && hasTray) this.#wait();
    else this.show(first, isMinimized);
  }

  /** Shows or opens the window, at a page of the dashboard if given. */
  show(hash?: string, isMinimized = false): void {
    if (this.#deps.isEnding()) return;
    if (!this.#open) {
      this.#waitingPage = hash ?? this.#waitingPage;
      this.#isWanted ||= this.#deps.platform !== 'darwin'; // where each start asks for it
      return;
    }
    if (this.#window) {
      this.#window.focus();
      if (hash) this.#window.show(hash);
      return;
    }
    this.#endWait();
    this.#endWait = () => {};
    const window = this.#open(isMinimized);
    this.#window = window;
    window.show(hash ?? '#/');
    this.#handleItsEnd(window);
    if (this.#badge > 0) this.showBadge(this.#badge);
  }

  /** Shows how many things need attention, where the system has a place for that. */
  showBadge(count: number): void {
    const { host, platform } = this.#deps;
    this.#badge = count;
    if (platform !== 'win32') host.app.setBadgeCount(count);
    else if (count === 0) this.#window?.showDot(null, '');
    else this.#window?.showDot(host.attentionDot(), 'Something needs attention');
  }

  /** Says that the program ends. */
  sayItEnds(): void {
    this.#window?.setTitle('Robot Desktop: stopping the app and folding the robot');
  }

  #handleItsEnd(window: MainWindow): void {
    const { host, platform, isEnding } = this.#deps;
    // On a Mac a program stays open without a window, and so does the daemon.
    const isLast = platform !== 'darwin';
    window.onClosing((event) => {
      if (!isLast || isEnding()) return;
      event.preventDefault();
      void this.#close(window).catch((error: unknown) => console.error(errorText(error)));
    });
    window.onClosed(() => {
      this.#window = null;
      if (this.#keepsRunning) this.#wait();
      else if (isLast) host.app.quit();
      this.#keepsRunning = false;
    });
  }

  /** Closes the window, after a question if its user has not answered that before. */
  async #close(window: MainWindow): Promise<void> {
    if (this.#isAsking) return;
    const { host, settings, presence, isEnding, hasOwnDaemon } = this.#deps;
    this.#isAsking = true;
    const outcome = await closing({
      ask: (question) => host.ask(question),
      settings,
      noTray: () => presence.noTray(),
      hasOwnDaemon: hasOwnDaemon(),
    }).finally(() => {
      this.#isAsking = false;
    });
    if (isEnding() || outcome === 'stay-open') return;
    this.#keepsRunning = outcome === 'keep-running';
    window.destroy();
  }

  /** Stays in the tray, and opens the window should the icon go. */
  #wait(): void {
    const { host, platform, presence } = this.#deps;
    const endLooks = presence.whileHidden(() => this.show());
    if (platform !== 'win32') {
      this.#endWait = endLooks;
      return;
    }
    const hidden = host.openWindow({ show: false, webPreferences: lockedDown });
    quitAtSessionEnd(hidden, host);
    this.#endWait = () => {
      endLooks();
      hidden.destroy();
    };
  }
}
