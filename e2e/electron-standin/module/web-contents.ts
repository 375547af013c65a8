import { EventEmitter } from 'node:events';
import type { WebContents as ElectronWebContents, HandlerDetails, WebPreferences } from 'electron';
import type { DevToolsSession } from '../chromium/devtools.ts';
import type { PageTarget } from '../chromium/page-targets.ts';
import { type DocumentRequest, decideDocumentRequests } from '../page/document-requests.ts';
import { preventNewWindows } from '../page/new-windows.ts';
import { decideDownloads, type WantedDownload } from '../page/page-downloads.ts';
import { type PageNavigation, preventNavigations } from '../page/page-navigations.ts';
import { followPresses } from '../page/page-presses.ts';
import { followTitle } from '../page/page-title.ts';
import { preparePage } from '../page/prepare-page.ts';
import { DownloadItem } from './download-item.ts';
import { emitEvent, knowsOnly } from './events.ts';
import { runningChromium } from './running-chromium.ts';
import { type Session, session } from './session.ts';

type WindowOpenHandler = Parameters<ElectronWebContents['setWindowOpenHandler']>[0];

interface ContentsWindow {
  readonly width: number;
  readonly height: number;
  readonly onTitle: (title: string) => void;
  readonly onClose: () => void;
}

/** How long a press counts in Chromium. */
const GESTURE_MS = 5_000;

const openContents = new Set<WebContents>();

/** The page of a window. */
export class WebContents extends EventEmitter {
  readonly session: Session;
  /** For the window: settles when the page is open. */
  readonly opened: Promise<PageTarget>;
  readonly #chromium = runningChromium();
  readonly #preferences: WebPreferences;
  readonly #window: ContentsWindow;
  #target: PageTarget | null = null;
  #pressedAt = Number.NEGATIVE_INFINITY;
  #windowOpenHandler: WindowOpenHandler | null = null;
  /** Whether the app itself loads a document: the guards are not called for that one. */
  #appLoads = false;

  constructor(preferences: WebPreferences, window: ContentsWindow) {
    super();
    if (preferences.preload) throw new Error('The Electron stand-in has no preload scripts.');
    const neverEmitted = ['will-attach-webview', 'will-prevent-unload', 'select-bluetooth-device'];
    knowsOnly(this, ['render-process-gone', 'will-navigate', 'will-frame-navigate', 'will-redirect', ...neverEmitted]);
    this.#preferences = preferences;
    this.#window = window;
    this.session = session.fromPartition(preferences.partition ?? '');
    openContents.add(this);
    this.opened = this.#open();
    this.opened.catch(() => {}); // loadURL fails
  }

  /** For `webContents`. */
  get targetId(): string | null {
    return this.#target?.id ?? null;
  }

  /** Settles when the page has answered, Electron's when it has loaded. @throws Error with Chromium's message */
  async loadURL(url: string): Promise<void> {
    const { session: page } = await this.opened;
    this.#appLoads = true;
    const { errorText } = await page.send('Page.navigate', { url }).finally(() => {
      this.#appLoads = false;
    });
    if (errorText !== undefined) throw new Error(`${errorText} loading '${url}'`);
  }
  reload(): void {
    this.#appLoads = true;
    this.#target?.session.trySend('Page.reload');
  }
  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#windowOpenHandler = handler;
  }
  /** Not among Electron's types. */
  getLastWebPreferences(): WebPreferences {
    return this.#preferences;
  }
  isDestroyed(): boolean {
    return !openContents.has(this);
  }
  close(): void {
    this.#window.onClose();
  }

  /** For the window, which has closed. */
  destroy(): void {
    openContents.delete(this);
    void this.opened.then((target) => this.#chromium.targets.close(target)).catch(() => {});
  }

  async #open(): Promise<PageTarget> {
    const { width, height } = this.#window;
    const { targets, devTools } = this.#chromium;
    const target = await targets.open({ width, height, ...(await this.session.context) });
    this.#target = target;
    target.on('gone', () => this.#window.onClose());
    target.on('crashed', (exitCode) => emitEvent(this, 'render-process-gone', {}, { reason: 'crashed', exitCode }));
    const frames = new Set([target.id]);
    decideDownloads(devTools.browser, { frames, decide: (wanted) => this.#mayDownload(wanted) });
    await preparePage(devTools, target.session, (part) => {
      part.on('Page.frameAttached', ({ frameId }) => frames.add(frameId));
      return this.#watch(part, target.id);
    });
    return target;
  }

  #watch(part: DevToolsSession, mainFrameId: string): Promise<unknown> {
    return Promise.all([
      followTitle(part, this.#window.onTitle),
      followPresses(part, () => {
        this.#pressedAt = performance.now();
      }),
      preventNewWindows(part, (url) => this.#askToOpen(url)),
      preventNavigations(part, (navigation) => this.#askToNavigate(navigation)),
      decideDocumentRequests(part, (request) => this.#mayLoad(request, request.frameId === mainFrameId)),
    ]);
  }

  async #mayLoad({ url, isRedirect }: DocumentRequest, isMainFrame: boolean): Promise<boolean> {
    if (isRedirect) {
      if (emitEvent(this, 'will-redirect', { url, isMainFrame }).defaultPrevented) return false;
    } else if (isMainFrame && this.#appLoads) {
      this.#appLoads = false;
    } else if (!this.#mayNavigate({ url, isMainFrame })) {
      return false;
    }
    await this.session.applyPermissions(url);
    return true;
  }

  #mayNavigate({ url, isMainFrame }: PageNavigation): boolean {
    const isPrevented = (event: string) => emitEvent(this, event, { url, isMainFrame }).defaultPrevented;
    return !isPrevented('will-frame-navigate') && !(isMainFrame && isPrevented('will-navigate'));
  }

  #askToNavigate(navigation: PageNavigation): void {
    if (!this.#mayNavigate(navigation) || !navigation.url.startsWith('blob:')) return; // no other program is opened
    throw new Error(`The Electron stand-in cannot show ${navigation.url}, and the app does not prevent it.`);
  }

  #mayDownload(wanted: WantedDownload) {
    const hasUserGesture = performance.now() - this.#pressedAt < GESTURE_MS;
    const item = new DownloadItem({ ...wanted, hasUserGesture });
    const { defaultPrevented } = emitEvent(this.session, 'will-download', {}, item, this);
    const isCancelled = defaultPrevented || item.getSavePath() === '';
    // Nobody sees the dialog.
    if (isCancelled && !defaultPrevented) console.error(item.getSaveDialogOptions().title ?? item.getURL());
    return { isCancelled, end: (state: 'completed' | 'cancelled') => item.end(state) };
  }

  #askToOpen(url: string): void {
    const answer = this.#windowOpenHandler?.({ url } as HandlerDetails);
    if (answer?.action !== 'deny') throw new Error('The Electron stand-in opens no window that a page asks for.');
  }
}

export const webContents = {
  /** Playwright calls it. */
  fromDevToolsTargetId: (id: string) => [...openContents].find(({ targetId }) => targetId === id),
};
