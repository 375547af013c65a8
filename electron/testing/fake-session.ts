import { EventEmitter } from 'node:events';
import type { CookiesSetDetails, WebContents } from 'electron';
import type { HostSession } from '../electron-host.ts';
import { FakeEvent } from './fake-event.ts';

type RequestHandler = NonNullable<Parameters<HostSession['setPermissionRequestHandler']>[0]>;
type ScreenHandler = NonNullable<Parameters<HostSession['setDisplayMediaRequestHandler']>[0]>;
type CheckHandler = NonNullable<Parameters<HostSession['setPermissionCheckHandler']>[0]>;

/** A partition of the fake Electron, which grants all as long as nobody limits it. */
export class FakeSession extends EventEmitter {
  #request: RequestHandler = (_contents, _permission, answer) => answer(true);
  #check: CheckHandler = () => true;
  setPermissionRequestHandler(handler: RequestHandler | null): void {
    this.#request = handler ?? this.#request;
  }
  setPermissionCheckHandler(handler: CheckHandler | null): void {
    this.#check = handler ?? this.#check;
  }
  #device: () => boolean = () => true;
  screen: ScreenHandler | null = null;
  setDisplayMediaRequestHandler(handler: ScreenHandler | null): void {
    this.screen = handler;
  }
  spelling = { isEnabled: true, languages: ['en-US'] };
  setSpellCheckerEnabled(isEnabled: boolean): void {
    this.spelling = { ...this.spelling, isEnabled };
  }
  setSpellCheckerLanguages(languages: string[]): void {
    this.spelling = { ...this.spelling, languages };
  }
  /** The parts that were cleared, in order. */
  readonly cleared: string[] = [];
  clearStorageData = async () => void this.cleared.push('storage');
  clearCache = async () => void this.cleared.push('cache');
  setDevicePermissionHandler(handler: ((details: never) => boolean) | null): void {
    if (handler) this.#device = handler as () => boolean;
  }
  readonly cookiesSet: CookiesSetDetails[] = [];
  /** The failure of the next cookie. */
  cookieFailure: Error | null = null;
  readonly cookies = {
    set: async (details: CookiesSetDetails) => {
      if (this.cookieFailure) throw this.cookieFailure;
      this.cookiesSet.push(details);
    },
  };
  grantsDevices = (): boolean => this.#device();

  /** @returns whether both handlers grant it */
  grants(permission: string, requestingUrl: string): boolean {
    let granted = false;
    const contents = {} as WebContents;
    const answer = (is: boolean) => {
      granted = is;
    };
    this.#request(contents, permission as 'media', answer, { isMainFrame: true, requestingUrl });
    return granted && this.#check(null, permission as 'media', requestingUrl, { isMainFrame: true, requestingUrl });
  }

  /** Simulates a page that asks for a device. @returns what was chosen; null: Electron would choose the first one */
  choosesDevice(kind: 'hid' | 'usb'): readonly unknown[] | null {
    let chosen: readonly unknown[] | null = null;
    const event = new FakeEvent();
    this.emit(`select-${kind}-device`, event, {}, (...device: unknown[]) => {
      chosen = device;
    });
    return event.defaultPrevented ? chosen : null;
  }

  /** Simulates a file that a page wants to save. @returns the title of the dialog; null: the download was cancelled */
  saves(item: FakeDownload): string | null {
    const event = new FakeEvent();
    this.emit('will-download', event, item);
    return event.defaultPrevented ? null : item.dialog.title;
  }
}

/** Members that Electron overloads have no fake of that type, and no caller needs one. */
export const newFakeSession = () => new FakeSession() as FakeSession & HostSession;

export class FakeDownload extends EventEmitter {
  dialog = { title: 'the address, as in Electron', message: '' };
  savePath = '';
  readonly #chain: string[];
  readonly #file: string;
  readonly #isClicked: boolean;
  /** @param chain the address and its redirects */
  constructor(chain: string | string[], { file = 'a.txt', isClicked = true } = {}) {
    super();
    this.#chain = [chain].flat();
    this.#file = file;
    this.#isClicked = isClicked;
  }
  getURLChain = () => this.#chain;
  getFilename = () => this.#file;
  getSavePath = () => this.savePath;
  hasUserGesture = () => this.#isClicked;
  setSaveDialogOptions(options: { title: string; message: string }): void {
    this.dialog = options;
  }
}
