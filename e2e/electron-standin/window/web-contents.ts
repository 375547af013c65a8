/** The page of a window, as an app sees it. */
import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, WebContents as ElectronWebContents } from 'electron';
import { app } from '../app/app.ts';
import type { PageTarget } from '../browser/page-targets.ts';
import { runningBrowser } from '../browser/running-browser.ts';
import { emitEvent } from '../events.ts';
import { addRecordedMethods } from '../record.ts';
import { type Session, session } from '../session/session.ts';
import { NavigationGuard } from './navigation-guard.ts';
import { contentsOfTarget, openContents } from './open-contents.ts';
import { Page } from './page.ts';
import { PageLoads } from './page-loads.ts';
import { type OpenChild, WindowOpening } from './window-opening.ts';

const RECORDED = [
  'closeDevTools',
  'focus',
  'openDevTools',
  'send',
  'setBackgroundThrottling',
  'setIgnoreMenuShortcuts',
  'setUserAgent',
  'setVisualZoomLevelLimits',
  'setWebRTCIPHandlingPolicy',
  'setZoomFactor',
  'setZoomLevel',
  'toggleDevTools',
];

export interface WebContentsParts {
  readonly options: BrowserWindowConstructorOptions;
  /** That Chromium has opened already, for a popup. */
  readonly existingPage: PageTarget | null;
  readonly openChild: OpenChild;
  readonly destroyWindow: () => void;
}

let lastId = 0;

export class WebContents extends EventEmitter {
  readonly id: number;
  readonly session: Session;
  readonly hostWebContents = null;
  readonly #parts: WebContentsParts;
  readonly #page: Page;
  readonly #loads: PageLoads;
  readonly #guard: NavigationGuard;
  readonly #opening: WindowOpening;
  #isCrashed = false;

  constructor(parts: WebContentsParts) {
    super();
    lastId += 1;
    this.id = lastId;
    this.#parts = parts;
    this.session = sessionOf(parts.options);
    this.#page = new Page(this.#openPage(), async (part, target) => {
      const whole = part === target.session ? [this.#watch(target)] : [];
      await Promise.all([...whole, this.#guard.watch(part, target), this.#opening.watch(part)]);
    });
    const asElectron = this as unknown as ElectronWebContents;
    this.#loads = new PageLoads(this, this.#page);
    this.#guard = new NavigationGuard(this, (url) => this.session.permissions.applyTo(url, asElectron));
    this.#opening = new WindowOpening(this, this.#page.sessions, parts.openChild);
    addRecordedMethods(this, 'webContents', RECORDED);
    openContents.add(this);
  }

  get targetId(): string | null {
    return this.#page.target?.id ?? null;
  }
  /** For the window, which has a size to set. */
  get page(): Page {
    return this.#page;
  }
  get mainFrame(): { url: string } {
    return { url: this.#loads.url };
  }

  loadURL(url: string): Promise<void> {
    this.#guard.expectOwnLoad(url);
    return this.#loads.load(url).finally(() => this.#guard.expectOwnLoad(null)); // there may have been no request
  }
  reload(): void {
    this.#guard.expectOwnLoad(this.getURL());
    this.#page.tell('Page.reload');
  }
  reloadIgnoringCache(): void {
    this.#guard.expectOwnLoad(this.getURL());
    this.#page.tell('Page.reload', { ignoreCache: true });
  }
  stop(): void {
    this.#page.tell('Page.stopLoading');
  }
  getURL(): string {
    return this.#loads.url;
  }
  getTitle(): string {
    return this.#loads.title;
  }
  isLoading(): boolean {
    return this.#loads.isLoading;
  }
  isLoadingMainFrame(): boolean {
    return this.#loads.isLoading;
  }
  isCrashed(): boolean {
    return this.#isCrashed;
  }
  isDestroyed(): boolean {
    return !openContents.has(this);
  }
  isDevToolsOpened(): boolean {
    return false;
  }
  getType(): string {
    return 'window';
  }
  /** Not among Electron's types, but it has it: what the page was given. */
  getLastWebPreferences(): object {
    return { ...this.#parts.options.webPreferences };
  }

  setWindowOpenHandler(handler: Parameters<ElectronWebContents['setWindowOpenHandler']>[0]): void {
    this.#opening.setHandler(handler);
  }

  async executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    const evaluate = { expression: code, userGesture, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.#page.send('Runtime.evaluate', evaluate);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as unknown;
  }

  forcefullyCrashRenderer(): void {
    this.#page.tell('Page.crash');
  }

  /** As when the page closes itself: the window goes too, and its `close` is not emitted. */
  close(): void {
    this.#parts.destroyWindow();
  }

  /** For the window: the page ends with it. */
  destroy(): void {
    if (!openContents.delete(this)) return;
    this.#loads.destroy();
    this.#page.close();
    emitEvent(this, 'destroyed');
  }

  /** For popups that Chromium opened by itself. */
  opened(popup: PageTarget): Promise<void> {
    return this.#opening.opened(popup);
  }

  async #openPage() {
    const { pipe, targets } = await runningBrowser();
    if (this.#parts.existingPage) return { target: this.#parts.existingPage, pipe };
    const { width = 800, height = 600 } = this.#parts.options;
    const { id } = await this.session.context();
    return { target: await targets.open({ width, height, browserContextId: id }), pipe };
  }

  async #watch(target: PageTarget): Promise<void> {
    target.on('gone', () => this.#parts.destroyWindow());
    target.on('crashed', (reason, exitCode) => {
      this.#isCrashed = true;
      const details = { reason: reason === 'killed' ? 'killed' : reason === 'oom' ? 'oom' : 'crashed', exitCode };
      emitEvent(this, 'render-process-gone', {}, details);
      emitEvent(app, 'render-process-gone', {}, this, details);
    });
    this.on('did-navigate', () => {
      this.#isCrashed = false;
    });
    await this.#loads.watch(target);
  }
}

function sessionOf({ webPreferences }: BrowserWindowConstructorOptions): Session {
  if (webPreferences?.preload !== undefined) throw new Error('The Electron stand-in has no preload scripts.');
  if (webPreferences?.session) return webPreferences.session as unknown as Session;
  return webPreferences?.partition ? session.fromPartition(webPreferences.partition) : session.defaultSession;
}

const all = () => [...openContents] as WebContents[];

export const webContents = {
  getAllWebContents: all,
  fromId: (id: number): WebContents | undefined => all().find((contents) => contents.id === id),
  /** Playwright asks by it. */
  fromDevToolsTargetId: (id: string) => contentsOfTarget(id) as WebContents | undefined,
};
