/** A fake Electron for unit tests: records calls, and replies as a test sets it up. */
import { EventEmitter } from 'node:events';
import type {
  BrowserWindowConstructorOptions,
  CookiesSetDetails,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  NativeImage,
  WindowOpenHandlerResponse,
} from 'electron';
import type { ElectronHost, HostContents, HostWindow } from '../electron-host.ts';
import { FakeEvent } from './fake-event.ts';
import { newFakeSession } from './fake-session.ts';
import { FakeTray } from './fake-tray.ts';

export class FakeApp extends EventEmitter {
  isPackaged = false;
  isOnlyInstance = true;
  readonly paths: Record<string, string> = {};
  readonly #exited = Promise.withResolvers<number>();
  /** Resolves with the exit code. */
  readonly exited = this.#exited.promise;

  #isReady = false;

  async whenReady(): Promise<void> {
    this.#isReady = true;
  }
  requestSingleInstanceLock = () => this.isOnlyInstance;
  setPath(name: string, path: string): void {
    if (this.#isReady) throw new Error(`It is too late to choose ${name}: Electron is ready`);
    this.paths[name] = path;
  }
  setAboutPanelOptions = () => {};
  badge = 0;
  setBadgeCount(count = 0): boolean {
    this.badge = count;
    return true;
  }
  exit = (code = 0) => this.#exited.resolve(code);
  /** Emits `before-quit`, whose listeners may prevent the end, like Electron. */
  quit = () => void this.emit('before-quit', new FakeEvent());
}

type OpenHandler = (details: { url: string }) => WindowOpenHandlerResponse;

class FakeContents extends EventEmitter {
  reloads = 0;
  #onOpen: OpenHandler = () => ({ action: 'allow' });
  reload(): void {
    this.reloads += 1;
  }
  setWindowOpenHandler(handler: unknown): void {
    this.#onOpen = handler as OpenHandler;
  }

  /** Simulates a navigation of the page. @returns whether it was allowed */
  goes(url: string, how: 'will-navigate' | 'will-redirect' | 'will-frame-navigate' = 'will-navigate'): boolean {
    const event = new FakeEvent(url, how !== 'will-frame-navigate');
    this.emit(how, event);
    return !event.defaultPrevented;
  }
  /** Simulates a new window. @returns whether it was allowed */
  opens = (url: string): boolean => this.#onOpen({ url }).action === 'allow';
}

export class FakeWindow extends EventEmitter {
  readonly options: BrowserWindowConstructorOptions;
  readonly webContents = new FakeContents();
  readonly loaded: string[] = [];
  /** The cookies of the default session when it was opened. */
  readonly cookiesBefore: readonly CookiesSetDetails[];
  title: string;
  shown = 0;
  focused = 0;
  minimized = false;
  constructor(options: BrowserWindowConstructorOptions, cookiesBefore: readonly CookiesSetDetails[]) {
    super();
    this.cookiesBefore = cookiesBefore;
    this.options = options;
    this.title = options.title ?? '';
  }
  /** The failures of the next loads. */
  readonly loadFailures: Error[] = [];
  loadURL = async (url: string) => {
    this.loaded.push(url);
    const failure = this.loadFailures.shift();
    if (failure) throw failure;
  };
  show(): void {
    this.shown += 1;
  }
  focus(): void {
    this.focused += 1;
  }
  isMinimized = () => this.minimized;
  minimize(): void {
    this.minimized = true;
  }
  restore(): void {
    this.minimized = false;
  }
  /** The text of the dot in the task bar; null: there is no dot. */
  dot: string | null = null;
  setOverlayIcon(image: NativeImage | null, text: string): void {
    this.dot = image === null ? null : text;
  }
  setTitle(title: string): void {
    this.title = title;
  }
  /** Like its user: the program may prevent it. */
  close(): void {
    const event = new FakeEvent();
    this.emit('close', event);
    if (!event.defaultPrevented) this.destroy();
  }
  isDestroyed = false;
  destroy(): void {
    this.isDestroyed = true;
    this.emit('closed');
  }
}

export class FakeHost implements ElectronHost {
  // Cast: the declared return type of `on` is Electron's whole app, and no caller uses it.
  readonly app = new FakeApp() as FakeApp & ElectronHost['app'];
  readonly windows: FakeWindow[] = [];
  readonly outside: string[] = [];
  readonly errors: string[] = [];
  readonly questions: MessageBoxOptions[] = [];
  readonly sessions = new Map<string, ReturnType<typeof newFakeSession>>();
  menu: MenuItemConstructorOptions[] = [];
  /** The index of the button that is pressed in every dialog. */
  pressed = 0;
  readonly powerMonitor = new EventEmitter() as EventEmitter & ElectronHost['powerMonitor'];
  readonly session = {
    defaultSession: newFakeSession(),
    fromPartition: (partition: string) => {
      const session = this.sessions.get(partition) ?? newFakeSession();
      this.sessions.set(partition, session);
      return session;
    },
  };
  /** The arguments of the start after the end; null: there is none. */
  relaunched: readonly string[] | null = null;
  relaunch = (args: string[]): void => {
    this.relaunched = args;
  };
  openOutside = (url: string) => void this.outside.push(url);
  openPath = async (path: string) => void this.outside.push(path);
  isDark = () => false;
  openWindow = (options: BrowserWindowConstructorOptions) => {
    const window = new FakeWindow(options, [...this.session.defaultSession.cookiesSet]);
    this.windows.push(window);
    this.app.emit('web-contents-created', {}, window.webContents as unknown as HostContents);
    return window as unknown as HostWindow;
  };
  setMenu(template: MenuItemConstructorOptions[]): void {
    this.menu = template;
  }
  readonly tray = new FakeTray();
  openTray = () => this.tray;
  attentionDot = () => ({}) as NativeImage;
  /** Settles when the shown error is closed; by default at once. */
  errorClosed: Promise<void> = Promise.resolve();
  showError = (title: string, text: string) => {
    this.errors.push(`${title}: ${text}`);
    return this.errorClosed;
  };
  /** The folder that is chosen in every dialog; null: it is cancelled. */
  chosenFolder: string | null = null;
  chosenFile: string | null = null;
  chooseFolder = async () => this.chosenFolder;
  chooseFile = async (_title: string, _extensions: readonly string[]) => this.chosenFile;
  /** Settles when a button is pressed; by default at once. */
  answered: Promise<void> = Promise.resolve();
  ask = async (options: MessageBoxOptions) => {
    this.questions.push(options);
    await this.answered;
    return this.pressed;
  };

  /** Presses an item of the menu by its label. */
  choose(label: string): void {
    const items = this.menu.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
    const item = items.find((each) => each.label === label);
    if (!item?.click) throw new Error(`The menu has no "${label}"`);
    (item.click as () => void)();
  }
}
