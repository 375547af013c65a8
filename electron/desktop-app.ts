import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolderUnusable } from '../daemon/shared/data-folder/data-folder-lock.ts';
import { DomainError } from '../daemon/shared/domain-error.ts';
import { AppWindows } from './app-windows.ts';
import { DashboardDaemon } from './dashboard-daemon.ts';
import { MainWindow } from './main-window.ts';
import { menuTemplate } from './menu.ts';
import { WindowGuard } from './security.ts';
import { WindowDaemon, type WindowDaemonDeps } from './window-daemon.ts';

export interface DesktopAppDeps extends WindowDaemonDeps {
  readonly platform: NodeJS.Platform;
  /** Where signals and what nobody caught arrive. */
  readonly process: Pick<NodeJS.EventEmitter, 'on'>;
  readonly dataDir: string;
  readonly iconFile: string;
  /** Says where the daemon is to whoever started us from a terminal. */
  readonly announce: (url: string) => void;
}

/** Robot Desktop as a desktop program: one instance, the daemon inside it, its dashboard in a window. */
export class DesktopApp {
  readonly #deps: DesktopAppDeps;
  readonly #guard: WindowGuard;
  readonly #daemon: WindowDaemon;
  #openWindow: (() => MainWindow) | null = null;
  #window: MainWindow | null = null;
  #ending = false;
  #openAgain = false;

  constructor(deps: DesktopAppDeps) {
    this.#deps = deps;
    this.#guard = new WindowGuard(deps.host);
    this.#daemon = new WindowDaemon(deps);
  }

  /** Settles once the dashboard is shown, or the app is on its way out. */
  async run(): Promise<void> {
    const { app } = this.#deps.host;
    try {
      // In the tick of the main module: once Electron is ready its profile is chosen.
      if (!this.#claim()) return app.exit(0);
      app.on('before-quit', (event) => {
        event.preventDefault();
        void this.#end();
      });
      app.on('window-all-closed', () => {}); // the main window's end is what counts
      app.on('activate', () => this.#show());
      const starting = this.#daemon.start();
      starting.catch(() => {}); // looked at below
      await app.whenReady();
      this.#followTheSystem();
      const url = await starting;
      if (url === null) return app.quit();
      await this.#signIn(url);
      if (!this.#ending) this.#openDashboard(url);
    } catch (error) {
      await this.#giveUp(error as Error);
    }
  }

  /** Makes this the one instance on its data folder. @returns false when there is one already; it shows itself now */
  #claim(): boolean {
    const { host, dataDir } = this.#deps;
    const profile = join(dataDir, 'window');
    try {
      mkdirSync(profile, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new DataFolderUnusable(dataDir, error as NodeJS.ErrnoException);
    }
    host.app.setPath('userData', profile);
    if (!host.app.requestSingleInstanceLock()) return false;
    host.app.on('second-instance', () => {
      if (this.#ending) this.#openAgain = true;
      else this.#show();
    });
    return true;
  }

  /** The system's ways to end a program. Once Electron is ready, for then its own handlers of signals are replaced. */
  #followTheSystem(): void {
    const { host, process } = this.#deps;
    // Prevented, or the system would not wait; the types leave the event out.
    host.powerMonitor.on('shutdown', ((event: { preventDefault(): void }) => {
      event.preventDefault();
      host.app.quit();
    }) as () => void);
    let signals = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => {
        signals += 1;
        if (signals === 1) host.app.quit();
        else void this.#endNow();
      });
    }
    // A daemon that is half broken must not go on driving a robot.
    process.on('uncaughtException', (error: Error) => {
      console.error(error);
      void this.#end(1);
    });
  }

  /** Its own daemon knows the window from its first request on: nobody has to sign in there. */
  async #signIn(url: string): Promise<void> {
    const cookie = this.#daemon.newSessionCookie();
    if (!cookie) return;
    const { cookies } = this.#deps.host.session.defaultSession;
    // Without it the window still shows everything, and its user can sign in.
    await cookies.set({ url, path: '/', httpOnly: true, sameSite: 'strict', ...cookie }).catch(console.error);
  }

  #openDashboard(url: string): void {
    const { host, version, iconFile, announce } = this.#deps;
    const daemon = new DashboardDaemon(url);
    const appWindows = new AppWindows(host, this.#guard);
    const openApp = async (link: string) => {
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
      });
    host.app.setAboutPanelOptions({
      applicationName: 'Robot Desktop',
      applicationVersion: version,
      iconPath: iconFile,
    });
    this.#setMenu(url, daemon);
    this.#show();
    announce(url);
  }

  #setMenu(url: string, daemon: DashboardDaemon): void {
    const { host, platform, dataDir } = this.#deps;
    const kind = { isMac: platform === 'darwin', isPackaged: host.app.isPackaged };
    const actions = {
      show: (hash: string) => this.#show(hash),
      stopApp: () => void daemon.stopApp().catch(() => {}), // the page says that the daemon is gone
      openInBrowser: () => host.openOutside(this.#daemon.newSignInUrl() ?? `${url}/`),
      showDataFolder: () => host.openFolder(dataDir),
    };
    host.setMenu(menuTemplate(kind, actions));
  }

  /** Brings the window up, or opens it, at a page of the dashboard if one is given. */
  #show(hash?: string): void {
    if (this.#ending || !this.#openWindow) return;
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
      // As is usual on a Mac: there the program stays, and so does what the robot is doing.
      if (this.#deps.platform !== 'darwin') this.#deps.host.app.quit();
    });
  }

  /** Holds the end of the process until the app is stopped and the robot folded; the daemon sees to the time. */
  async #end(code = 0): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    const { app } = this.#deps.host;
    this.#window?.setTitle('Robot Desktop: stopping the app and folding the robot');
    const inOrder = await this.#daemon.stop().catch(() => false);
    if (this.#openAgain) app.relaunch();
    app.exit(inOrder ? code : 1);
  }

  async #endNow(): Promise<void> {
    await this.#daemon.kill().catch((error: unknown) => console.error(error));
    this.#deps.host.app.exit(1);
  }

  /** It could not start: says why, and leaves nothing running. */
  async #giveUp(error: Error): Promise<void> {
    if (this.#ending) return;
    const { host } = this.#deps;
    await host.app.whenReady();
    if (!(error instanceof DomainError)) console.error(error);
    host.showError('Robot Desktop could not start', error.message);
    await this.#end(1);
  }
}
