import type { RunningDaemon } from '../daemon/cli/running-daemon.ts';
import type { Daemon } from '../daemon/create-daemon.ts';
import { PortInUse } from '../daemon/http/listen.ts';
import { DataFolderInUse } from '../daemon/shared/data-folder/data-folder-lock.ts';
import type { ElectronHost } from './electron-host.ts';

export interface WindowDaemonDeps {
  readonly host: ElectronHost;
  readonly version: string;
  /** Composes a daemon on the data folder, at the port that was asked for or at any that is free. */
  readonly createDaemon: (options: { anyPort: boolean }) => Daemon;
  readonly runningDaemon: (taken: DataFolderInUse) => Promise<RunningDaemon | null>;
}

/** The daemon that the window shows: one inside this process, or the one that has the data folder already. */
export class WindowDaemon {
  readonly #deps: WindowDaemonDeps;
  /** The one inside this process. */
  #own: Daemon | null = null;

  constructor(deps: WindowDaemonDeps) {
    this.#deps = deps;
  }

  /**
   * @returns where it is; null when the user would rather leave
   * @throws DomainError when there is none to be had
   */
  async start(anyPort = false): Promise<string | null> {
    try {
      return await this.#startOwn(anyPort);
    } catch (error) {
      if (error instanceof PortInUse) return (await this.#wantsAnotherPort(error)) ? this.start(true) : null;
      if (!(error instanceof DataFolderInUse)) throw error;
      const running = await this.#deps.runningDaemon(error);
      if (!running) throw error;
      await this.#tellOfOtherVersion(running.status.version);
      return running.url;
    }
  }

  /** What signs the window in; null where the daemon is another's: there its user does that. */
  newSessionCookie(): { name: string; value: string } | null {
    return this.#own?.newSessionCookie() ?? null;
  }

  /** An address that signs a browser in, once; null where the daemon is another's. */
  newSignInUrl(): string | null {
    return this.#own?.newSignInUrl() ?? null;
  }

  /** Stops the one inside this process; another's goes on. @returns whether all ended in order */
  async stop(): Promise<boolean> {
    return (await this.#own?.stop()) ?? true;
  }

  /** Ends all processes of the one inside this process, at once. */
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
}
