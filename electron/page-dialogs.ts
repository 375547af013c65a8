import type { ElectronHost } from './electron-host.ts';

type DialogHost = Pick<ElectronHost, 'app' | 'ask' | 'chooseFolder' | 'chooseFile'>;

/** The system's dialogs. The page gets the chosen path in its address, and acts on it when its user agrees. */
export class PageDialogs {
  readonly #host: DialogHost;
  readonly #show: (hash: string) => void;
  /** By the path that the page opens in a new window to ask for a dialog, see renderer/navigation/in-window.ts. */
  readonly #byPath: ReadonlyMap<string, () => Promise<void>> = new Map([
    ['/choose-model-file', () => this.chooseModelFile()],
    [
      '/choose-folder-for-new-app',
      () => this.#chooseFolder('Choose a folder for the new app', { tab: 'create' }, 'new'),
    ],
    ['/choose-own-app', () => this.#chooseFolder('Choose the folder of your app', { tab: 'create' }, 'add')],
    ['/quit', () => this.#quit()],
  ]);

  constructor(host: DialogHost, show: (hash: string) => void) {
    this.#host = host;
    this.#show = show;
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
    const pressed = await this.#host.ask({
      type: 'question',
      message: 'Quit Robot Desktop?',
      detail: 'If the daemon runs in this window, it stops the running app and folds the robot.',
      buttons: ['Quit', 'Cancel'],
      defaultId: 0,
      cancelId: 1,
    });
    if (pressed === 0) this.#host.app.quit();
  }

  /** @param parameter of the address of the Apps page */
  async #chooseFolder(title: string, place: Record<string, string>, parameter: string): Promise<void> {
    const folder = await this.#host.chooseFolder(title);
    if (folder !== null) this.#show(`#/apps?${new URLSearchParams({ ...place, [parameter]: folder }).toString()}`);
  }
}
