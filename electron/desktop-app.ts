import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningDaemon } from '../daemon/cli/running-daemon.ts';
import type { Daemon } from '../daemon/create-daemon.ts';
import { PortInUse } from '../daemon/http/listen.ts';
import { DataFolderInUse, DataFolderUnusable } from '../daemon/shared/data-folder-lock.ts';
import { DomainError } from '../daemon/shared/domain-error.ts';
import { AppWindows } from './app-windows.ts';
import { DashboardDaemon } from './dashboard-daemon.ts';
import type { ElectronHost } from './electron-host.ts';
import { MainWindow } from './main-window.ts';
import { menuTemplate } from './menu.ts';
import { WindowGuard } from './security.ts';

export interface DesktopAppDeps {
  readonly host: ElectronHost;
  readonly version: string;
  readonly platform: NodeJS.Platform;
  readonly dataDir: string;
  readonly iconFile: string;
  /** Composes a daemon on the data folder, at the port that was asked for or at any that is free. */
  readonly createDaemon: (options: { anyPort: boolean }) => Daemon;
  readonly runningDaemon: (taken: DataFolderInUse) => Promise<RunningDaemon | null>;
  /** Says where the daemon is to whoever started us from a terminal. */
  readonly announce: (url: string) => void;
}

/** Robot Desktop as a desktop program: one instance, the daemon inside it, its dashboard in a window. */
export class DesktopApp {
  readonly #deps: DesktopAppDeps;
  readonly #guard: WindowGuard;
  /** The one inside this process; null while there is none, and where the window shows another's. */
  #daemon: Daemon | null = null;
  #openWindow: (() => MainWindow) | null = null;
  #window: MainWindow | null = null;
  #ending = false;
  #openAgain = false;

  constructor(deps: DesktopAppDeps) {
    this.#deps = deps;
    this.#guard = new WindowGuard(deps.host);
  }

  /** Settles once the dashboard is shown, or the app is on its way out. */
  async run(): Promise<void> {
    const { host } = this.#deps;
    const { app } = host;
    try {
      if (!(await this.#claim())) return app.exit(0);
      app.on('before-quit', (event) => {
        event.preventDefault();
        void this.#end();
      });
      app.on('window-all-closed', () => {}); // the main window's end is what counts
      app.on('activate', () => this.#show());
      // Two things at once: neither needs the other.
      const [url] = await Promise.all([this.#findDaemon(), app.whenReady()]);
      if (url === null || this.#ending) return app.quit();
      host.powerMonitor.on('shutdown', () => app.quit());
      this.#openDashboard(url);
    } catch (error) {
      await app.whenReady();
      if (!(error instanceof DomainError)) console.error(error);
      host.showError('Robot Desktop could not start', (error as Error).message);
      app.exit(1);
    }
  }

  /** Makes this the one instance on its data folder. @returns false when there is one already; it shows itself now */
  async #claim(): Promise<boolean> {
    const { host, dataDir } = this.#deps;
    const profile = join(dataDir, 'window');
    await mkdir(profile, { recursive: true, mode: 0o700 }).catch((error) => {
      throw new DataFolderUnusable(dataDir, error);
    });
    host.app.setPath('userData', profile);
    if (!host.app.requestSingleInstanceLock()) return false;
    host.app.on('second-instance', () => {
      if (this.#ending) this.#openAgain = true;
      else this.#show();
    });
    return true;
  }

  /** @returns the address of our daemon, or of the one that has our data folder already; null when the user gave up */
  async #findDaemon(): Promise<string | null> {
    try {
      return await this.#startDaemon();
    } catch (error) {
      if (error instanceof PortInUse) return (await this.#wantsAnotherPort(error)) ? this.#startDaemon(true) : null;
      if (!(error instanceof DataFolderInUse)) throw error;
      const running = await this.#deps.runningDaemon(error);
      if (!running) throw error;
      await this.#tellOfOtherVersion(running.status.version);
      return running.url;
    }
  }

  async #startDaemon(anyPort = false): Promise<string> {
    const daemon = this.#deps.createDaemon({ anyPort });
    this.#daemon = daemon;
    try {
      await daemon.start();
    } catch (error) {
      this.#daemon = null;
      throw error;
    }
    return daemon.url;
  }

  async #wantsAnotherPort({ port, holder }: PortInUse): Promise<boolean> {
    const { host } = this.#deps;
    await host.app.whenReady();
    const pressed = await host.ask({
      type: 'question',
      message: `Port ${port} is in use by ${holder}.`,
      detail: `Robot Desktop can use another port this time. Programs that look for the robot at port ${port} will not find it.`,
      buttons: ['Use another port', 'Quit'],
      defaultId: 0,
      cancelId: 1,
    });
    return pressed === 0;
  }

  async #tellOfOtherVersion(theirs: string): Promise<void> {
    const { host, version } = this.#deps;
    if (theirs === version) return;
    await host.app.whenReady();
    await host.ask({
      type: 'info',
      message: `Robot Desktop ${theirs} is running already.`,
      detail: `This is version ${version}. The window shows the one that runs; end it to use this one.`,
      buttons: ['Show it'],
    });
  }

  #openDashboard(url: string): void {
    const { host, version, iconFile, announce } = this.#deps;
    const daemon = new DashboardDaemon(url);
    const appWindows = new AppWindows(host, this.#guard);
    const openApp = async (link: string) => {
      const page = await daemon.appPageAt(link);
      if (page) appWindows.show(page);
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
      openInBrowser: () => void host.shell.openExternal(`${url}/`),
      showDataFolder: () => void host.shell.openPath(dataDir),
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
  async #end(): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    const { app } = this.#deps.host;
    this.#window?.setTitle('Robot Desktop: stopping the app and folding the robot');
    const inOrder = await (this.#daemon?.stop() ?? true);
    if (this.#openAgain) app.relaunch();
    app.exit(inOrder ? 0 : 1);
  }
}
