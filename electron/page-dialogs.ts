import type { ElectronHost } from './electron-host.ts';

type DialogHost = Pick<ElectronHost, 'app' | 'ask' | 'chooseFolder' | 'chooseFile'>;

/** The system's dialogs. The page gets the chosen path in its address, and acts on it when its user agrees. */
export class PageDialogs {
  readonly #host: DialogHost;
  readonly #show: (hash: string) => void;
  readonly #restart: () => void;
  /** By the path that the page opens in a new window to ask for a dialog, see renderer/navigation/in-window.ts. */
  readonly #byPath: ReadonlyMap<string, () => Promise<void>> = new Map([
    ['/choose-model-file', () => this.chooseModelFile()],
    [
      '/choose-folder-for-new-app',
      () => this.#chooseFolder('Choose a folder for the new app', { tab: 'create' }, 'new'),
    ],
    ['/choose-own-app', () => this.#chooseFolder('Choose the folder of your app', { tab: 'create' }, 'add')],
    ['/quit', () => this.#quit()],
    ['/open-again', () => this.#openAgain()],
  ]);

  constructor(host: DialogHost, show: (hash: string) => void, restart: () => void) {
    this.#host = host;
    this.#show = show;
    this.#restart = restart;
  }

  /** The dialog of a path; null: that is none. */
  at(path: string): (() => Promise<void>) | null {
    return this.#byPath.get(path) ?? null;
  }

  installFolder(): Promise<void> {
    return this.#chooseFolder('Choose the folder of an app', {}, 'install');
  }

  async chooseModelFile(): Promise<void> {
    const file = await this.#host.chooseFile('Choose a model file', ['gguf']);
    if (file !== null) this.#show(`#/models?${new URLSearchParams({ tab: 'machine', file }).toString()}`);
  }

  /** Quits if the user agrees: no page alone ends the program, which moves a robot. */
  async #quit(): Promise<void> {
    if (await this.#agrees('Quit Robot Desktop?', 'Quit')) this.#host.app.quit();
  }

  /** Ends the program and opens it again, if the user agrees. */
  async #openAgain(): Promise<void> {
    if (await this.#agrees('Open Robot Desktop again?', 'Open again')) this.#restart();
  }

  async #agrees(message: string, button: string): Promise<boolean> {
    const detail = 'If the daemon runs in this window, it stops the running app and folds the robot.';
    const buttons = [button, 'Cancel'];
    return (await this.#host.ask({ type: 'question', message, detail, buttons, defaultId: 0, cancelId: 1 })) === 0;
  }

  /** @param parameter of the address of the Apps page */
  async #chooseFolder(title: string, place: Record<string, string>, parameter: string): Promise<void> {
    const folder = await this.#host.chooseFolder(title);
    if (folder !== null) this.#show(`#/apps?${new URLSearchParams({ ...place, [parameter]: folder }).toString()}`);
  }
}
