/** Follows the loads of a page's main frame, and tells of them as Electron does. */
import type { EventEmitter } from 'node:events';
import type { PageTarget } from '../browser/page-targets.ts';
import { emitEvent } from '../events.ts';
import { loadError, type NetError, netError } from './net-errors.ts';
import type { Page } from './page.ts';
import { followTitle } from './page-title.ts';

interface PendingLoad {
  readonly loaderId: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class PageLoads {
  url = '';
  title = '';
  isLoading = false;
  readonly #contents: EventEmitter;
  readonly #page: Page;
  /** The document that is shown, and the last that has loaded entirely. */
  #shown = '';
  #loaded = '';
  #isErrorPage = false;
  #failure: { loaderId: string; text: string } | null = null;
  /** The last load of which it was said that it failed. */
  #failed = '';
  #pending: PendingLoad | null = null;
  readonly #destroyed = Promise.withResolvers<void>();

  constructor(contents: EventEmitter, page: Page) {
    this.#contents = contents;
    this.#page = page;
  }

  async watch(target: PageTarget): Promise<void> {
    const { id, session } = target;
    target.on('crashed', () => this.#settle(loadError(netError('ERR_FAILED'), this.url)));
    session.on('Page.frameStartedLoading', ({ frameId }) => {
      if (frameId === id) this.#started();
    });
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === id) this.#stopped();
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === id) this.#navigated(frame.loaderId, frame.url + (frame.urlFragment ?? ''), frame.unreachableUrl);
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId === id) this.#navigatedInPage(url);
    });
    session.on('Page.lifecycleEvent', ({ frameId, loaderId, name }) => {
      if (frameId === id) this.#reached(loaderId, name);
    });
    session.on('Network.loadingFailed', ({ requestId, type, errorText }) => {
      if (type === 'Document') this.#failure = { loaderId: requestId, text: errorText };
    });
    await Promise.all([
      followTitle(session, (title) => this.#titleChanged(title)),
      session.send('Network.enable'),
      session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
    ]);
  }

  /** Fulfilled when the page has loaded. @throws Error with Chromium's `code` */
  load(url: string): Promise<void> {
    const destroyed = this.#destroyed.promise.then(() => Promise.reject(loadError(netError('ERR_FAILED'), url)));
    return Promise.race([this.#navigate(url), destroyed]);
  }

  /** The window is gone, and with it whatever was loading. */
  destroy(): void {
    this.#destroyed.resolve();
  }

  async #navigate(url: string): Promise<void> {
    const { loaderId, errorText } = await this.#page.send('Page.navigate', { url });
    if (errorText !== undefined) {
      const error = netError(errorText);
      if (error.code !== 'ERR_ABORTED') this.#tellFailure(error, url, loaderId ?? '');
      throw loadError(error, url);
    }
    if (loaderId === undefined || this.#loaded === loaderId) return; // only the fragment changed, or it was quick
    this.#settle(loadError(netError('ERR_ABORTED'), url));
    await new Promise<void>((resolve, reject) => {
      this.#pending = { loaderId, resolve, reject };
    });
  }

  #started(): void {
    this.isLoading = true;
    emitEvent(this.#contents, 'did-start-loading');
  }

  #stopped(): void {
    if (!this.isLoading) return; // the empty page that each window starts with
    this.isLoading = false;
    emitEvent(this.#contents, 'did-stop-loading');
  }

  #navigated(loaderId: string, url: string, unreachableUrl: string | undefined): void {
    this.#shown = loaderId;
    this.#isErrorPage = unreachableUrl !== undefined;
    this.url = unreachableUrl ?? url;
    this.title = this.url; // until it says its own
    if (this.#pending && this.#pending.loaderId !== loaderId) this.#settle(loadError(netError('ERR_ABORTED'), url));
    if (unreachableUrl === undefined) emitEvent(this.#contents, 'did-navigate', {}, url, 200, 'OK');
    else this.#tellFailure(netError(this.#failureOf(loaderId)), unreachableUrl, loaderId);
  }

  #failureOf(loaderId: string): string {
    return this.#failure?.loaderId === loaderId ? this.#failure.text : 'ERR_FAILED';
  }

  #navigatedInPage(url: string): void {
    this.url = url;
    emitEvent(this.#contents, 'did-navigate-in-page', {}, url, true, 0, 0);
  }

  /** Once: there may be an answer to our command, an error page, or both. */
  #tellFailure({ code, errno }: NetError, url: string, loaderId: string): void {
    if (this.#failed === loaderId) return;
    this.#failed = loaderId;
    emitEvent(this.#contents, 'did-fail-load', {}, errno, code, url, true, 0, 0);
  }

  #reached(loaderId: string, stage: string): void {
    if (loaderId !== this.#shown || this.#isErrorPage) return;
    if (stage === 'DOMContentLoaded') emitEvent(this.#contents, 'dom-ready');
    if (stage !== 'load') return;
    this.#loaded = loaderId;
    emitEvent(this.#contents, 'did-finish-load');
    emitEvent(this.#contents, 'did-frame-finish-load', {}, true, 0, 0);
    if (this.#pending?.loaderId === loaderId) this.#settle(null);
  }

  #settle(error: Error | null): void {
    const pending = this.#pending;
    this.#pending = null;
    if (error) pending?.reject(error);
    else pending?.resolve();
  }

  #titleChanged(title: string): void {
    this.title = title;
    emitEvent(this.#contents, 'page-title-updated', {}, title, true);
  }
}
