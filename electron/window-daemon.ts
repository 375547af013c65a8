import type { RunningDaemon } from '../daemon/cli/shared/holder.ts';
import { signInAddress } from '../daemon/cli/sign-in.ts';
import type { Daemon } from '../daemon/create-daemon.ts';
import type { GuardianKeeper } from '../daemon/guardian/guardian-keeper.ts';
import { PortInUse } from '../daemon/http/listen.ts';
import { DataFolderInUse } from '../daemon/shared/data-folder/data-folder-lock.ts';
import type { DataPaths } from '../daemon/shared/files/data-paths.ts';
import { errorText } from '../daemon/shared/logger.ts';
import type { ElectronHost } from './electron-host.ts';

export interface WindowDaemonDeps {
  readonly host: ElectronHost;
  readonly version: string;
  /** Composes a daemon on the data folder, at the requested port or any free one. */
  readonly createDaemon: (options: { anyPort: boolean }) => Daemon;
  readonly runningDaemon: (taken: DataFolderInUse) => Promise<RunningDaemon | null>;
  /** Folds the robot if this process ends without doing so. */
  readonly guardian: Pick<GuardianKeeper, 'start' | 'endedInOrder'>;
}

/** The daemon of the window: one inside this process, or one that already runs on the data folder. */
export class WindowDaemon {
  readonly #deps: WindowDaemonDeps;
  #own: Daemon | null = null;
  /** The daemon of another process, and the data folder that both would use. */
  #other: { readonly running: RunningDaemon; readonly paths: DataPaths } | undefined;
  /** Whether the program ends: no daemon is started, and nothing is asked, any more. */
  #isStopped = false;

  constructor(deps: WindowDaemonDeps) {
    this.#deps = deps;
  }

  /**
   * @returns its address; null if the user chooses to quit, or the program ends meanwhile
   * @throws DomainError when no daemon can be started or found
   */
  async start(anyPort = false): Promise<string | null> {
    if (this.#isStopped) return null;
    try {
      return await this.#startOwn(anyPort);
    } catch (error) {
      if (this.#isStopped) return null;
      if (error instanceof PortInUse) return (await this.#wantsAnotherPort(error)) ? this.start(true) : null;
      if (!(error instanceof DataFolderInUse)) throw error;
      const running = await this.#deps.runningDaemon(error);
      if (!running) throw error;
      this.#other = { running, paths: error.paths };
      await this.#showOtherVersion(running.status.version);
      return running.url;
    }
  }

  /** The one inside this process; null: it is in another process, or there is none yet. */
  get own(): Daemon | null {
    return this.#own;
  }

  /** The token that the daemon requires of this machine's programs; undefined: it requires none. */
  get token(): string | undefined {
    return this.#own ? (this.#own.accessToken ?? undefined) : this.#other?.running.token;
  }

  /**
   * Signs the window in before its first request: to its own daemon, or to one of another process that requires it.
   * @returns the page to begin with, which completes that; undefined: the dashboard's first one
   * @throws DiskFull, DataFolderReadOnly
   */
  async signIn(): Promise<string | undefined> {
    const own = this.#own;
    if (!own) return this.token === undefined ? undefined : this.newSignInPage();
    const { cookies } = this.#deps.host.session.defaultSession;
    // Without the cookie the window still works, and its user can sign in.
    await cookies
      .set({ url: own.url, path: '/', httpOnly: true, sameSite: 'strict', ...own.newSessionCookie() })
      .catch((error: unknown) => console.error(errorText(error)));
    return undefined;
  }

  /** A page that signs the window in once; undefined: there is no daemon. @throws DiskFull, DataFolderReadOnly */
  async newSignInPage(): Promise<string | undefined> {
    const url = await this.#newSignInUrl();
    if (url === undefined) return undefined;
    const { pathname, search } = new URL(url);
    return `${pathname}${search}`.slice(1);
  }

  /**
   * The address of the dashboard for a browser. It signs the browser in once, at the own daemon and at one that shows nothing
   * without.
   * @throws DiskFull, DataFolderReadOnly
   */
  async urlForBrowser(): Promise<string | undefined> {
    const isSignedIn = this.#own !== null || this.token !== undefined;
    return isSignedIn ? this.#newSignInUrl() : this.#other && `${this.#other.running.url}/`;
  }

  async #newSignInUrl(): Promise<string | undefined> {
    if (this.#own) return this.#own.newSignInUrl();
    return this.#other && (await signInAddress(this.#other.paths, this.#other.running.url));
  }

  /** Stops the daemon inside this process, not one of another. @returns whether every part stopped properly */
  async stop(): Promise<boolean> {
    this.#isStopped = true;
    if (!this.#own) return true;
    const isOrderly = await this.#own.stop();
    // Else the guardian looks after the robot as soon as this process is gone.
    if (isOrderly) await this.#deps.guardian.endedInOrder();
    return isOrderly;
  }

  /** Kills all child processes of the daemon inside this process; its guardian folds the robot once it is gone. */
  async kill(): Promise<void> {
    await this.#own?.kill();
  }

  async #startOwn(anyPort: boolean): Promise<string> {
    const daemon = this.#deps.createDaemon({ anyPort });
    this.#own = daemon;
    try {
      await daemon.start();
    } catch (error) {
      this.#own = null;
      throw error;
    }
    void this.#deps.guardian.start();
    return daemon.url;
  }

  async #wantsAnotherPort({ port, holder }: PortInUse): Promise<boolean> {
    const { host } = this.#deps;
    await host.app.whenReady();
    if (this.#isStopped) return false;
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

  async #showOtherVersion(theirs: string): Promise<void> {
    const { host, version } = this.#deps;
    if (theirs === version) return;
    await host.app.whenReady();
    if (this.#isStopped) return;
    await host.ask({
      type: 'info',
      message: `Robot Desktop ${theirs} is already running.`,
      detail: `This is version ${version}. The window shows the running version. Quit that one to use this one.`,
      buttons: ['Show it'],
    });
  }
}
