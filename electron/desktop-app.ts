import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../daemon/shared/clock.ts';
import { DataFolderUnusable } from '../daemon/shared/data-folder/folder-locks.ts';
import { DomainError } from '../daemon/shared/domain-error.ts';
import { errorText } from '../daemon/shared/logger.ts';
import { AppSessions, AppWindows } from './app-windows.ts';
import { DashboardDaemon } from './dashboard-daemon.ts';
import { MainWindow } from './main-window.ts';
import { menuTemplate } from './menu.ts';
import { PageDialogs } from './page-dialogs.ts';
import { ProgramEnd } from './program-end.ts';
import { WindowGuard } from './security.ts';
import { limitSession } from './session-limits.ts';
import { WindowDaemon, type WindowDaemonDeps } from './window-daemon.ts';

export interface DesktopAppDeps extends WindowDaemonDeps {
  readonly platform: NodeJS.Platform;
  /** The source of signals and uncaught exceptions. */
  readonly process: Pick<NodeJS.EventEmitter, 'on'>;
  /** Ends this process at once, as SIGKILL does: for an exit that does not come. */
  readonly die: () => void;
  readonly clock: Clock;
  readonly dataDir: string;
  readonly iconFile: string;
  /** Prints the daemon's address on the terminal. */
  readonly announce: (url: string) => void;
}

/** Robot Desktop as a desktop program: one instance, the daemon inside it, its dashboard in a window. */
export class DesktopApp {
  readonly #deps: DesktopAppDeps;
  readonly #guard: WindowGuard;
  readonly #daemon: WindowDaemon;
  readonly #end: ProgramEnd;
  readonly #dialogs: PageDialogs;
  #openWindow: (() => MainWindow) | null = null;
  #window: MainWindow | null = null;

  constructor(deps: DesktopAppDeps) {
    this.#deps = deps;
    this.#guard = new WindowGuard(deps.host);
    this.#daemon = new WindowDaemon(deps);
    const { host, die, clock } = deps;
    this.#end = new ProgramEnd({ host, daemon: this.#daemon, die, clock });
    this.#dialogs = new PageDialogs(host, (hash) => this.#show(hash));
  }

  /** Electron's profile: its cookies, storage and caches. */
  get #profileDir(): string {
    return join(this.#deps.dataDir, 'window');
  }

  /** Resolves once the dashboard is shown, or the app is quitting. */
  async run(): Promise<void> {
    const { app } = this.#deps.host;
    try {
      // In the tick of the main module: once Electron is ready, its profile is fixed.
      if (!this.#claim()) return app.exit(0);
      app.on('before-quit', (event) => {
        event.preventDefault();
        this.#beginEnd();
      });
      app.on('window-all-closed', () => {}); // the app quits when the main window closes
      app.on('activate', () => this.#show());
      const starting = this.#daemon.start();
      starting.catch(() => {}); // looked at below
      await app.whenReady();
      this.#handleSystemEvents();
      const url = await starting;
      if (url === null) return app.quit();
      const firstPage = await this.#signIn(url);
      if (!this.#end.isUnderWay) this.#openDashboard(url, firstPage);
    } catch (error) {
      await this.#giveUp(error as Error);
    }
  }

  /** Ends the program, and starts it again. */
  restart(): void {
    this.#end.opensAgain = true;
    this.#beginEnd();
  }

  /** Claims the single instance on the data folder. @returns false if another one runs; it then shows its window */
  #claim(): boolean {
    const { host, dataDir } = this.#deps;
    try {
      mkdirSync(this.#profileDir, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new DataFolderUnusable(dataDir, error as Error);
    }
    host.app.setPath('userData', this.#profileDir);
    if (!host.app.requestSingleInstanceLock()) return false;
    host.app.on('second-instance', () => {
      if (this.#end.isUnderWay) this.#end.opensAgain = true;
      else this.#show();
    });
    return true;
  }

  /** Handles shutdown, signals and uncaught exceptions. After Electron is ready, to replace its own signal handlers. */
  #handleSystemEvents(): void {
    const { host, process } = this.#deps;
    // Without preventDefault the system does not wait; the types omit the event.
    host.powerMonitor.on('shutdown', ((event: { preventDefault(): void }) => {
      event.preventDefault();
      host.app.quit();
    }) as () => void);
    let signals = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => {
        signals += 1;
        if (signals === 1) host.app.quit();
        else void this.#end.now();
      });
    }
    // After an unexpected error the daemon must not continue to drive the robot.
    process.on('uncaughtException', (error: Error) => {
      console.error(errorText(error));
      this.#beginEnd(1);
    });
  }

  /**
   * Signs the window in before its first request: to its own daemon, or to one of another process that requires it.
   * @returns the page to begin with, which completes that; undefined: the dashboard's first one
   */
  async #signIn(url: string): Promise<string | undefined> {
    const cookie = this.#daemon.own?.newSessionCookie();
    if (!cookie) return (await this.#daemon.newSignInUrlElsewhere())?.slice(`${url}/`.length);
    const { cookies } = this.#deps.host.session.defaultSession;
    // Without the cookie the window still works, and its user can sign in.
    await cookies
      .set({ url, path: '/', httpOnly: true, sameSite: 'strict', ...cookie })
      .catch((error: unknown) => console.error(errorText(error)));
    return undefined;
  }

  #openDashboard(url: string, firstPage: string | undefined): void {
    const { host, version, iconFile, announce, clock } = this.#deps;
    const daemon = new DashboardDaemon(url, this.#daemon.token);
    const permissions = ['clipboard-sanitized-write'];
    limitSession(host.session.defaultSession, { origin: () => url, permissions, owner: null });
    const appWindows = new AppWindows(host, this.#guard, new AppSessions(host, this.#profileDir));
    const keepOnly = (appNames: readonly string[]) => void appWindows.keepOnly(appNames);
    this.#daemon.own?.onInstalledApps(keepOnly);
    void daemon.installedApps().then(keepOnly, () => {}); // the next start tries again
    const openApp = async (link: string) => {
      const path = link.startsWith(url) ? link.slice(url.length) : '';
      const dialog = this.#dialogs.at(path);
      if (dialog) return dialog();
      // As the dialogs, see renderer/navigation/in-window.ts.
      if (path === '/open-in-browser') return this.#openInBrowser(url);
      if (path === '/sign-in-here') return this.#show((await this.#daemon.newSignInUrl())?.slice(`${url}/`.length));
      if (path === '/open-again') return this.restart();
      const page = await daemon.appPageAt(link);
      if (page) appWindows.show(page);
      else if (await daemon.isHubPage(link)) host.openOutside(link);
    };
    this.#openWindow = () =>
      new MainWindow({
        host,
        guard: this.#guard,
        url,
        iconFile,
        openApp: (link) => void openApp(link).catch(() => {}),
        clock,
      });
    host.app.setAboutPanelOptions({
      applicationName: 'Robot Desktop',
      applicationVersion: version,
      iconPath: iconFile,
    });
    this.#setMenu(url, daemon);
    this.#show(firstPage);
    announce(url);
  }

  #setMenu(url: string, daemon: DashboardDaemon): void {
    const { host, platform, dataDir } = this.#deps;
    const kind = { isMac: platform === 'darwin', isPackaged: host.app.isPackaged };
    const actions = {
      show: (hash: string) => this.#show(hash),
      installFolder: () => void this.#dialogs.installFolder(),
      chooseModelFile: () => void this.#dialogs.chooseModelFile(),
      stopApp: () => void daemon.stopApp().catch(() => {}), // the page shows that the daemon is gone
      openInBrowser: () => this.#openInBrowser(url),
      showDataFolder: () => void host.openPath(dataDir).catch(console.error),
    };
    host.setMenu(menuTemplate(kind, actions));
  }

  #openInBrowser(url: string): void {
    const { host } = this.#deps;
    const elsewhere = this.#daemon.newSignInUrlElsewhere();
    if (elsewhere)
      void elsewhere.then((page) => host.openOutside(page)).catch((error: unknown) => console.error(errorText(error)));
    else host.openOutside(this.#daemon.own?.newSignInUrl() ?? `${url}/`);
  }

  /** Shows or opens the window, at a page of the dashboard if given. */
  #show(hash?: string): void {
    if (this.#end.isUnderWay || !this.#openWindow) return;
    if (this.#window) {
      this.#window.focus();
      if (hash) this.#window.show(hash);
      return;
    }
    const window = this.#openWindow();
    this.#window = window;
    window.show(hash ?? '#/');
    window.onClosed(() => {
      this.#window = null;
      // On a Mac a program stays open without a window, and so does the daemon.
      if (this.#deps.platform !== 'darwin') this.#deps.host.app.quit();
    });
  }

  #beginEnd(code = 0): void {
    this.#window?.setTitle('Robot Desktop: stopping the app and folding the robot');
    void this.#end.begin(code);
  }

  async #giveUp(error: Error): Promise<void> {
    if (this.#end.isUnderWay) return;
    const { host } = this.#deps;
    if (!(error instanceof DomainError)) console.error(errorText(error));
    await this.#end.begin(1, () => host.showError('Robot Desktop could not start', error.message));
  }
}
