/** Holds each request for a document until the listeners of the page have seen it, so that they can really prevent it. */
import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevToolsSession } from '../browser/devtools-pipe.ts';
import type { PageTarget } from '../browser/page-targets.ts';
import { emitEvent } from '../events.ts';

/** A page says that it wants to go somewhere before Chromium requests it; for how long its word may still be under way. */
const PAGE_SAYS_MS = 100;

export interface HeldRequest {
  readonly url: string;
  readonly frameId: string;
  readonly isMainFrame: boolean;
  readonly isRedirect: boolean;
}

export class NavigationGuard {
  readonly #contents: EventEmitter;
  readonly #beforeLoad: (url: string) => Promise<void>;
  /** The last address that the page itself wanted each of its frames to go to. */
  readonly #wanted = new Map<string, string>();
  /** What the app is loading. */
  #ownLoad: string | null = null;

  constructor(contents: EventEmitter, beforeLoad: (url: string) => Promise<void>) {
    this.#contents = contents;
    this.#beforeLoad = beforeLoad;
  }

  async watch(session: DevToolsSession, target: PageTarget): Promise<void> {
    session.on('Page.frameRequestedNavigation', ({ frameId, url, disposition }) => {
      if (disposition === 'currentTab') this.#wanted.set(frameId, withoutFragment(url));
    });
    session.on('Fetch.requestPaused', ({ requestId, request, frameId, redirectedRequestId }) => {
      const held = {
        url: request.url + (request.urlFragment ?? ''),
        frameId,
        isMainFrame: frameId === target.id,
        isRedirect: redirectedRequestId !== undefined,
      };
      void this.#decide(held).then((allowed) => {
        if (allowed) session.tell('Fetch.continueRequest', { requestId });
        else session.tell('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      });
    });
    const patterns = [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Request' }] as const;
    await session.send('Fetch.enable', { patterns: [...patterns] });
  }

  /** The next load of the main frame is the app's own, about which nobody is asked. */
  expectOwnLoad(url: string | null): void {
    this.#ownLoad = url === null ? null : withoutFragment(url);
  }

  async #decide(held: HeldRequest): Promise<boolean> {
    if (await this.#isPrevented(held)) return false;
    await this.#beforeLoad(held.url).catch(() => {});
    return true;
  }

  async #isPrevented(held: HeldRequest): Promise<boolean> {
    if (held.isRedirect) return this.#prevents('will-redirect', held);
    if (held.isMainFrame && this.#ownLoad === withoutFragment(held.url)) {
      this.#ownLoad = null;
      return false;
    }
    // Nor is anybody asked about what a test loads by the protocol.
    if (!(await this.#wantedByPage(held))) return false;
    if (this.#prevents('will-frame-navigate', held)) return true;
    return held.isMainFrame && this.#prevents('will-navigate', held);
  }

  #prevents(name: string, { url, isMainFrame, frameId }: HeldRequest): boolean {
    const details = { url, isMainFrame, isSameDocument: false, frame: { url, frameToken: frameId }, initiator: null };
    return emitEvent(this.#contents, name, details, url, false, isMainFrame, 0, 0).defaultPrevented;
  }

  async #wantedByPage({ frameId, url }: HeldRequest): Promise<boolean> {
    const isWanted = () => this.#wanted.get(frameId) === withoutFragment(url);
    if (!isWanted()) await sleep(PAGE_SAYS_MS);
    const wanted = isWanted();
    this.#wanted.delete(frameId);
    return wanted;
  }
}

function withoutFragment(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  parsed.hash = '';
  return parsed.href;
}
