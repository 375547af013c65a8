import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Daemon } from '../daemon/create-daemon.ts';
import type { Clock } from '../daemon/shared/clock.ts';
import { DataFolderUnusable } from '../daemon/shared/data-folder/folder-locks.ts';
import type { DesktopHost } from '../daemon/shared/desktop-host.ts';
import { DomainError } from '../daemon/shared/domain-error.ts';
import { errorText, type Logger } from '../daemon/shared/logger.ts';
import { AppSessions, AppWindows } from './app-windows.ts';
import { DashboardDaemon } from './dashboard-daemon.ts';
import { DashboardWindow } from './dashboard-window.ts';
import { DesktopSettings } from './desktop-settings.ts';
import { linksIn, readLinks } from './links/install-link.ts';
import { AT_LOGIN, argumentsAgain, type LoginItem } from './login/login-item.ts';
import { MainWindow } from './main-window.ts';
import { menuTemplate } from './menu.ts';
import { PageDialogs } from './page-dialogs.ts';
import { ProgramEnd } from './program-end.ts';
import { WindowGuard } from './security.ts';
import { limitSession } from './session-limits.ts';
import { handleSystemEvents } from './system-events.ts';
import type { FollowedEvent } from './tray/daemon-state.ts';
import { DesktopPresence } from './tray/desktop-presence.ts';
import { DesktopTray } from './tray/desktop-tray.ts';
import { followOther, followOwn } from './tray/follow-daemon.ts';
import { notDone, type TrayAction } from './tray/tray-items.ts';
import { Updates, type UpdatesDeps } from './updates/updates.ts';
import { WindowDaemon, type WindowDaemonDeps } from './window-daemon.ts';

export interface DesktopAppDeps extends Omit<WindowDaemonDeps, 'createDaemon'> {
  /** Composes a daemon on the data folder, at the requested port or any free one. */
  readonly createDaemon: (options: { anyPort: boolean; desktop: DesktopHost }) => Daemon;
  /** The events of another process's daemon that the tray shows, the snapshot first. */
  readonly watchEvents: (url: string, signal: AbortSignal, token?: string) => AsyncIterable<FollowedEvent>;
  readonly platform: NodeJS.Platform;
  /** The arguments of this start, with the program first. */
  readonly argv: readonly string[];
  readonly loginItem: LoginItem;
  /** Whether the system opened the program at login. Called once Electron is ready. */
  readonly isLoginStart: () => boolean;
  /** Whether something shows tray icons. */
  readonly hasTrayHost: () => Promise<boolean>;
  /** `XDG_CURRENT_DESKTOP`, or empty. */
  readonly desktopName: string;
  readonly updates: Pick<UpdatesDeps, 'way' | 'updater'> & {
    /** Whether this version is still in its place. */
    readonly isProgramThere: () => Promise<boolean>;
  };
  readonly log: Pick<Logger, 'error'>;
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

const unchanged = (version: string) => `Version ${version} is unchanged: start it again.`;
/** An AppImage is removed before the newer one takes its place. */
const GONE = 'The program is gone: download it again from the place where you got it.';

/** Robot Desktop as a desktop program: one instance, the daemon inside it, its dashboard in a window. */
export class DesktopApp {
  readonly #deps: DesktopAppDeps;
  readonly #guard: WindowGuard;
  readonly #daemon: WindowDaemon;
  readonly #end: ProgramEnd;
  readonly #dialogs: PageDialogs;
  readonly #settings: DesktopSettings;
  readonly #presence: DesktopPresence;
  readonly #window: DashboardWindow;
  /** Does what is chosen in the tray's menu, once there is a daemon. */
  #act: (action: TrayAction) => void = () => {};

  constructor(deps: DesktopAppDeps) {
    this.#deps = deps;
    const { host, argv, die, clock, platform, loginItem, log, hasTrayHost, desktopName } = deps;
    this.#guard = new WindowGuard(host);
    const updates = new Updates({ ...deps.updates, clock, replaceProgram: (install) => this.#replace(install) });
    const file = join(this.#profileDir, 'desktop-settings.json');
    this.#settings = new DesktopSettings({ file, platform, loginItem, updates, log });
    const createDaemon = (options: { anyPort: boolean }) => deps.createDaemon({ ...options, desktop: this.#settings });
    this.#daemon = new WindowDaemon({ ...deps, createDaemon });
    this.#end = new ProgramEnd({ host, daemon: this.#daemon, die, clock, argsAgain: argumentsAgain(argv, platform) });
    this.#dialogs = new PageDialogs({
      host,
      daemon: this.#daemon,
      show: (page) => this.#window.show(page),
      restart: () => this.restart(),
      isEnding: () => this.#end.isUnderWay,
    });
    const tray = new DesktopTray({
      openIcon: () => host.openTray(deps.iconFile),
      hasHost: hasTrayHost,
      act: (action) => this.#act(action),
      opensByClick: platform === 'win32',
      desktopName,
    });
    this.#presence = new DesktopPresence({
      clock,
      tray,
      onBadge: (count) => this.#window.showBadge(count),
      onNoTray: (reason) => this.#settings.setNoTray(reason),
    });
    this.#window = new DashboardWindow({
      ...{ host, platform, settings: this.#settings, presence: this.#presence },
      isEnding: () => this.#end.isUnderWay,
      hasOwnDaemon: () => this.#daemon.own !== null,
    });
  }

  /** Electron's profile: its cookies, storage and caches. */
  get #profileDir(): string {
    return join(this.#deps.dataDir, 'window');
  }

  /** Resolves once the dashboard is shown, or waits in the tray, or the app is quitting. */
  async run(): Promise<void> {
    const { host, argv } = this.#deps;
    const { app } = host;
    try {
      // In the tick of the main module: once Electron is ready, its profile is fixed.
      if (!this.#claim()) return app.exit(0);
      app.on('before-quit', (event) => {
        if (this.#end.isReplacing) return; // the updater quits
        event.preventDefault();
        this.#beginEnd();
      });
      app.on('window-all-closed', () => {}); // the app quits when the main window closes
      app.on('activate', () => this.#window.show());
      // On macOS a link comes by an event, which may be sent before Electron is ready.
      app.on('open-url', (event, link) => {
        event.preventDefault();
        this.#openLinks([link]);
      });
      this.#openLinks(linksIn(argv));
      const loaded = this.#settings.load();
      const starting = this.#daemon.start();
      starting.catch(() => {}); // looked at below
      await app.whenReady();
      handleSystemEvents({
        ...{ host, process: this.#deps.process },
        onFurtherSignal: () => void this.#end.now(),
        onUncaught: () => this.#beginEnd(1), // the daemon must not continue to drive the robot
      });
      const url = await starting;
      if (url === null) return app.quit();
      const firstPage = await this.#daemon.signIn();
      await loaded;
      if (!this.#end.isUnderWay) await this.#openDashboard(url, firstPage);
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
    host.app.on('second-instance', (_event, argv) => {
      if (this.#end.isUnderWay) this.#end.opensAgain = true;
      else if (!this.#openLinks(linksIn(argv)) && !argv.includes(AT_LOGIN)) this.#window.show();
    });
    return true;
  }

  async #openDashboard(url: string, firstPage: string | undefined): Promise<void> {
    const { host, version, iconFile, announce, clock, watchEvents, isLoginStart } = this.#deps;
    const { own, token } = this.#daemon;
    const daemon = new DashboardDaemon(url, token);
    this.#act = (action) => this.#actOn(daemon, action);
    const permissions = ['clipboard-sanitized-write'];
    limitSession(host.session.defaultSession, { origin: () => url, permissions, owner: null });
    const appWindows = new AppWindows(host, this.#guard, new AppSessions(host, this.#profileDir));
    const keepOnly = (appNames: readonly string[]) => void appWindows.keepOnly(appNames);
    own?.watch((event) => {
      if (event.type === 'installed-apps.changed') keepOnly(event.installedApps.map(({ name }) => name));
    });
    void daemon.installedApps().then(keepOnly, () => {}); // the next start tries again
    const openApp = async (link: string) => {
      const path = link.startsWith(url) ? link.slice(url.length) : '';
      const dialog = this.#dialogs.at(path);
      if (dialog) return dialog();
      const page = await daemon.appPageAt(link);
      if (page) appWindows.show(page);
      else if (await daemon.isHubPage(link)) host.openOutside(link);
    };
    const open = (isMinimized: boolean) =>
      new MainWindow({
        host,
        guard: this.#guard,
        url,
        iconFile,
        openApp: (link) => void openApp(link).catch(() => {}),
        clock,
        isMinimized,
      });
    host.app.setAboutPanelOptions({
      applicationName: 'Robot Desktop',
      applicationVersion: version,
      iconPath: iconFile,
    });
    this.#setMenu(daemon);
    this.#presence.begin(own ? followOwn(own) : followOther((signal) => watchEvents(url, signal, token)));
    const isHidden = isLoginStart() && this.#settings.status.opensHidden;
    await this.#window.begin(open, firstPage, isHidden);
    announce(url);
  }

  /** Opens links of the program's own scheme, at once or with the window. @returns whether there is one */
  #openLinks(links: readonly string[]): boolean {
    const target = readLinks(links);
    if (target === null) return false;
    if ('hash' in target) this.#window.show(target.hash);
    else void this.#dialogs.tell('The link was not opened', target.refused);
    return true;
  }

  /** Does what was chosen in the tray's menu. */
  #actOn(daemon: DashboardDaemon, action: TrayAction): void {
    switch (action.does) {
      case 'open':
        this.#window.show();
        break;
      case 'show-update':
        this.#window.show('#/settings?section=desktop');
        break;
      case 'quit':
        this.#deps.host.app.quit();
        break;
      default:
        void daemon.act(action).catch((error: Error) => this.#dialogs.tell(notDone[action.does], error.message));
    }
  }

  #setMenu(daemon: DashboardDaemon): void {
    const { host, platform, dataDir } = this.#deps;
    const kind = { isMac: platform === 'darwin', isPackaged: host.app.isPackaged };
    const actions = {
      show: (hash: string) => this.#window.show(hash),
      installFolder: () => void this.#dialogs.installFolder(),
      chooseModelFile: () => void this.#dialogs.chooseModelFile(),
      stopApp: () => void daemon.stopApp().catch(() => {}), // the page shows that the daemon is gone
      openInBrowser: () => void this.#dialogs.openInBrowser(),
      showDataFolder: () => void host.openPath(dataDir).catch(console.error),
    };
    host.setMenu(menuTemplate(kind, actions));
  }

  #beginEnd(code = 0): void {
    this.#sayItEnds();
    void this.#end.begin(code);
  }

  /** Ends the program, and lets the updater replace it. */
  #replace(install: () => Promise<never>): void {
    const { host, version, updates } = this.#deps;
    this.#sayItEnds();
    void this.#end.replace(install, async (reason) => {
      const after = (await updates.isProgramThere()) ? unchanged(version) : GONE;
      await host.showError('The update was not installed', `${reason} ${after}`);
    });
  }

  #sayItEnds(): void {
    this.#window.sayItEnds();
    this.#presence.end();
  }

  async #giveUp(error: Error): Promise<void> {
    if (this.#end.isUnderWay) return;
    const { host } = this.#deps;
    this.#presence.end();
    if (!(error instanceof DomainError)) console.error(errorText(error));
    await this.#end.begin(1, () => host.showError('Robot Desktop could not start', error.message));
  }
}
