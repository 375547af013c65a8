import { errorText } from '../daemon/shared/logger.ts';
import type { ElectronHost } from './electron-host.ts';
import type { WindowDaemon } from './window-daemon.ts';

interface PageDialogsDeps {
  readonly host: Pick<ElectronHost, 'app' | 'ask' | 'chooseFolder' | 'chooseFile' | 'showError' | 'openOutside'>;
  readonly daemon: Pick<WindowDaemon, 'newSignInPage' | 'urlForBrowser'>;
  /** Shows a page of the dashboard, `#/apps`. */
  readonly show: (page: string) => void;
  /** Ends the program, and starts it again. */
  readonly restart: () => void;
  /** Whether the program ends: nothing is told any more. */
  readonly isEnding: () => boolean;
}

/** Opens for the page what it cannot: the system's dialogs, a browser. The page acts on a chosen path when its user agrees. */
export class PageDialogs {
  readonly #deps: PageDialogsDeps;
  #isTelling = false;
  /** By the path that the page opens in a new window to ask for it, see renderer/navigation/in-window.ts. */
  readonly #byPath: ReadonlyMap<string, () => Promise<void>> = new Map([
    ['/choose-model-file', () => this.chooseModelFile()],
    [
      '/choose-folder-for-new-app',
      () => this.#chooseFolder('Choose a folder for the new app', { tab: 'create' }, 'new'),
    ],
    ['/choose-own-app', () => this.#chooseFolder('Choose the folder of your app', { tab: 'create' }, 'add')],
    ['/open-in-browser', () => this.openInBrowser()],
    ['/sign-in-here', () => this.#signInHere()],
    ['/quit', () => this.#quit()],
    ['/open-again', () => this.#openAgain()],
  ]);

  constructor(deps: PageDialogsDeps) {
    this.#deps = deps;
  }

  /** The dialog of a path; null: that is none. */
  at(path: string): (() => Promise<void>) | null {
    return this.#byPath.get(path) ?? null;
  }

  installFolder(): Promise<void> {
    return this.#chooseFolder('Choose the folder of an app', {}, 'install');
  }

  async chooseModelFile(): Promise<void> {
    const { host, show } = this.#deps;
    const file = await host.chooseFile('Choose a model file', ['gguf']);
    if (file !== null) show(`#/models?${new URLSearchParams({ tab: 'machine', file }).toString()}`);
  }

  /** Opens the dashboard in the user's browser. Never rejects. */
  async openInBrowser(): Promise<void> {
    const { host, daemon } = this.#deps;
    try {
      const url = await daemon.urlForBrowser();
      if (url !== undefined) host.openOutside(url);
    } catch (error) {
      console.error(errorText(error));
    }
  }

  /** Shows a failure, unless one is shown: a page can open links without end. */
  async tell(title: string, text: string): Promise<void> {
    const { host, isEnding } = this.#deps;
    if (this.#isTelling || isEnding()) return;
    this.#isTelling = true;
    await host.showError(title, text).finally(() => {
      this.#isTelling = false;
    });
  }

  async #signInHere(): Promise<void> {
    const { daemon, show } = this.#deps;
    const page = await daemon.newSignInPage();
    if (page !== undefined) show(page);
  }

  /** Quits if the user agrees: no page alone ends the program, which moves a robot. */
  async #quit(): Promise<void> {
    if (await this.#agrees('Quit Robot Desktop?', 'Quit')) this.#deps.host.app.quit();
  }

  /** Ends the program and opens it again, if the user agrees. */
  async #openAgain(): Promise<void> {
    if (await this.#agrees('Open Robot Desktop again?', 'Open again')) this.#deps.restart();
  }

  async #agrees(message: string, button: string): Promise<boolean> {
    const detail = 'If the daemon runs in this window, it stops the running app and folds the robot.';
    const buttons = [button, 'Cancel'];
    const { host } = this.#deps;
    return (await host.ask({ type: 'question', message, detail, buttons, defaultId: 0, cancelId: 1 })) === 0;
  }

  /** @param parameter of the address of the Apps page */
  async #chooseFolder(title: string, place: Record<string, string>, parameter: string): Promise<void> {
    const { host, show } = this.#deps;
    const folder = await host.chooseFolder(title);
    if (folder !== null) show(`#/apps?${new URLSearchParams({ ...place, [parameter]: folder }).toString()}`);
  }
}
