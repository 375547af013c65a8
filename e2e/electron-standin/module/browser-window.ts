import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions } from 'electron';
import { app } from './app.ts';
import { emitEvent, knowsOnly } from './events.ts';
import { runningChromium } from './running-chromium.ts';
import { WebContents } from './web-contents.ts';

/** A window manager answers later than Chromium. */
const STATE_CHECKS = 40;
const STATE_CHECK_MS = 50;

const openWindows = new Set<BrowserWindow>();

/** A window of Chromium, with one page. */
export class BrowserWindow extends EventEmitter {
  readonly webContents: WebContents;
  #title: string;
  #isMinimized = false;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    const neverEmitted = ['query-session-end']; // on Windows only
    knowsOnly(this, ['close', 'closed', 'page-title-updated', ...neverEmitted]);
    const { title = '', width = 800, height = 600 } = options;
    this.#title = title;
    this.webContents = new WebContents(options.webPreferences ?? {}, {
      width,
      height,
      onTitle: (text) => {
        if (!emitEvent(this, 'page-title-updated', {}, text, true).defaultPrevented) this.#title = text;
      },
      onClose: () => this.destroy(),
    });
    // The page gets the whole size: Chromium's tabs, which Electron has not, come on top.
    this.#sendToChromium((browser, windowId) => browser.send('Browser.setContentsSize', { windowId, width, height }));
    openWindows.add(this);
    app.windowOpened(this);
    emitEvent(app, 'web-contents-created', {}, this.webContents);
  }

  static getAllWindows(): BrowserWindow[] {
    return [...openWindows];
  }
  static fromWebContents(contents: WebContents | undefined): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.webContents === contents) ?? null;
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }
  getTitle(): string {
    return this.#title;
  }
  setTitle(title: string): void {
    this.#title = title;
  }

  /** Does nothing: a window is never hidden. */
  show(): void {}
  /** Does nothing: on Windows only. */
  setOverlayIcon(): void {}
  focus(): void {
    this.#sendToChromium((browser, _windowId, targetId) => browser.send('Target.activateTarget', { targetId }));
  }
  minimize(): void {
    this.#setMinimized(true);
  }
  restore(): void {
    this.#setMinimized(false);
  }
  isMinimized(): boolean {
    return this.#isMinimized;
  }

  close(): void {
    // In Electron the page closes first.
    setImmediate(() => {
      if (openWindows.has(this) && !emitEvent(this, 'close').defaultPrevented) this.destroy();
    });
  }
  destroy(): void {
    if (!openWindows.delete(this)) return;
    this.webContents.destroy();
    emitEvent(this, 'closed');
    refuseUse(this);
    app.windowClosed(this);
  }

  /** Without a window manager Chromium's window stays as it is, like Electron's. */
  #setMinimized(isMinimized: boolean): void {
    const windowState = isMinimized ? 'minimized' : 'normal';
    this.#sendToChromium(async (browser, windowId) => {
      await browser.send('Browser.setWindowBounds', { windowId, bounds: { windowState } });
      for (let attempt = 0; attempt < STATE_CHECKS && this.#isMinimized !== isMinimized; attempt += 1) {
        const { bounds } = await browser.send('Browser.getWindowBounds', { windowId });
        this.#isMinimized = bounds.windowState === 'minimized';
        await new Promise((resolve) => setTimeout(resolve, STATE_CHECK_MS));
      }
    });
  }

  #sendToChromium(command: (browser: Browser, windowId: number, targetId: string) => Promise<unknown>): void {
    const { browser } = runningChromium().devTools;
    const sent = this.webContents.opened.then(async ({ id }) => {
      const { windowId } = await browser.send('Browser.getWindowForTarget', { targetId: id });
      await command(browser, windowId, id);
    });
    sent.catch(() => {}); // the window is closed already
  }
}

type Browser = ReturnType<typeof runningChromium>['devTools']['browser'];

/** A closed window cannot be used, as in Electron. */
function refuseUse(window: BrowserWindow): void {
  const refuse = () => {
    throw new TypeError('Object has been destroyed');
  };
  const methods = Object.getOwnPropertyNames(BrowserWindow.prototype);
  for (const name of methods.filter((method) => !['constructor', 'destroy'].includes(method))) {
    Object.defineProperty(window, name, { value: refuse });
  }
}
