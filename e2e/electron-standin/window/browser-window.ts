/** Windows: each is a window of Chromium, with the tabs that Electron has not. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserWindowConstructorOptions } from 'electron';
import { app } from '../app/app.ts';
import { type OpenWindow, openWindows } from '../app/open-windows.ts';
import { requireReady } from '../app/readiness.ts';
import type { PageTarget, PageTargets } from '../browser/page-targets.ts';
import { emitEvent } from '../events.ts';
import { launch } from '../launch.ts';
import { addRecordedMethods } from '../record.ts';
import { FramedWindow } from './framed-window.ts';
import type { Page } from './page.ts';
import { WebContents, webContents } from './web-contents.ts';

const RECORDED = [
  'center',
  'flashFrame',
  'moveTop',
  'removeMenu',
  'setAlwaysOnTop',
  'setAutoHideMenuBar',
  'setBackgroundColor',
  'setIcon',
  'setMaximumSize',
  'setMenu',
  'setMenuBarVisibility',
  'setMinimumSize',
  'setOverlayIcon',
  'setProgressBar',
  'setResizable',
  'setSkipTaskbar',
];

/** For a popup, whose page is there already. */
const existingPage = Symbol('existing page');
type Options = BrowserWindowConstructorOptions & { readonly [existingPage]?: PageTarget | null };

let lastId = 0;

export class BrowserWindow extends FramedWindow implements OpenWindow {
  static #focused: BrowserWindow | null = null;
  readonly id: number;
  readonly webContents: WebContents;
  #title: string;
  #isVisible: boolean;
  #isClosing = false;
  #isDestroyed = false;

  constructor(options: Options = {}) {
    super(options);
    requireReady('Cannot create BrowserWindow before app is ready');
    lastId += 1;
    this.id = lastId;
    this.#title = options.title ?? app.getName();
    this.#isVisible = options.show !== false;
    this.webContents = new WebContents({
      options,
      existingPage: options[existingPage] ?? null,
      openChild: (child, page) => new BrowserWindow({ ...inherited(options), ...child, [existingPage]: page }),
      destroyWindow: () => this.destroy(),
    });
    this.applyBounds();
    addRecordedMethods(this, 'BrowserWindow', RECORDED);
    this.webContents.once('did-finish-load', () => emitEvent(this, 'ready-to-show'));
    this.webContents.on('page-title-updated', (_event, title: string, explicitSet: boolean) => {
      if (!emitEvent(this, 'page-title-updated', {}, title, explicitSet).defaultPrevented) this.#title = title;
    });
    openWindows.add(this);
    if (this.#isVisible) BrowserWindow.#focused = this;
    emitEvent(app, 'web-contents-created', {}, this.webContents);
    emitEvent(app, 'browser-window-created', {}, this);
  }

  protected get page(): Page {
    return this.webContents.page;
  }

  static getAllWindows(): BrowserWindow[] {
    return openWindows.all as BrowserWindow[];
  }
  static getFocusedWindow(): BrowserWindow | null {
    return BrowserWindow.#focused;
  }
  static fromId(id: number): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.id === id) ?? null;
  }
  static fromWebContents(contents: WebContents | undefined): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.webContents === contents) ?? null;
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }
  loadFile(path: string): Promise<void> {
    return this.loadURL(pathToFileURL(resolve(launch.appPath, path)).href);
  }
  reload(): void {
    this.webContents.reload();
  }

  close(): void {
    this.closeUnlessPrevented();
  }
  closeUnlessPrevented(): boolean {
    if (this.#isDestroyed || this.#isClosing) return true;
    if (emitEvent(this, 'close').defaultPrevented) return false;
    this.#isClosing = true;
    setImmediate(() => this.destroy()); // as the page has to close first
    return true;
  }
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    if (BrowserWindow.#focused === this) BrowserWindow.#focused = null;
    this.webContents.destroy();
    emitEvent(this, 'closed');
    refuseFurtherUse(this);
    openWindows.remove(this);
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  show(): void {
    this.showInactive();
    this.focus();
  }
  showInactive(): void {
    if (this.#isVisible) return;
    this.#isVisible = true;
    emitEvent(this, 'show');
  }
  hide(): void {
    if (!this.#isVisible) return;
    this.#isVisible = false;
    this.blur();
    emitEvent(this, 'hide');
  }
  isVisible(): boolean {
    return this.#isVisible;
  }
  focus(): void {
    this.page.tell('Page.bringToFront');
    if (BrowserWindow.#focused === this) return;
    BrowserWindow.#focused?.blur();
    BrowserWindow.#focused = this;
    emitEvent(this, 'focus');
    emitEvent(app, 'browser-window-focus', {}, this);
  }
  blur(): void {
    if (BrowserWindow.#focused !== this) return;
    BrowserWindow.#focused = null;
    emitEvent(this, 'blur');
    emitEvent(app, 'browser-window-blur', {}, this);
  }
  isFocused(): boolean {
    return BrowserWindow.#focused === this;
  }

  getTitle(): string {
    return this.#title;
  }
  setTitle(title: string): void {
    this.#title = title;
  }
}

/** A page that another opened lives in the same session, under the same restrictions. */
function inherited({ webPreferences }: Options): BrowserWindowConstructorOptions {
  return webPreferences ? { webPreferences } : {};
}

/** As in Electron: whoever keeps a closed window and uses it finds out. */
function refuseFurtherUse(window: BrowserWindow): void {
  const refuse = () => {
    throw new TypeError('Object has been destroyed');
  };
  const kept = ['constructor', 'page', 'isDestroyed', 'destroy', 'closeUnlessPrevented'];
  const inherent = [BrowserWindow.prototype, FramedWindow.prototype].flatMap(Object.getOwnPropertyNames);
  const methods = [...inherent, ...RECORDED];
  for (const method of methods.filter((name) => !kept.includes(name))) {
    Object.defineProperty(window, method, { value: refuse });
  }
}

/** What Chromium opens by itself becomes a window, if its opener's handler allows. */
export function openPopups(targets: PageTargets): void {
  targets.onPopup = (popup, openerId) => {
    const opener = webContents.fromDevToolsTargetId(openerId);
    void (opener ? opener.opened(popup) : popup.refuse()).catch(() => {}); // gone already
  };
}
