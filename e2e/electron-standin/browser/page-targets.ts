/** The pages of Chromium. Each is stopped at its start until somebody has prepared it. */
import { EventEmitter } from 'node:events';
import type { DevToolsPipe, DevToolsSession } from './devtools-pipe.ts';

interface PageTargetEvents {
  crashed: [reason: string, exitCode: number];
  gone: [];
}

export class PageTarget extends EventEmitter<PageTargetEvents> {
  /** Also the id of its main frame. */
  readonly id: string;
  readonly session: DevToolsSession;
  readonly #browser: DevToolsSession;

  constructor(id: string, session: DevToolsSession, browser: DevToolsSession) {
    super();
    this.id = id;
    this.session = session;
    this.#browser = browser;
  }

  resume(): Promise<unknown> {
    return this.session.send('Runtime.runIfWaitingForDebugger');
  }

  close(): void {
    this.#browser.tell('Target.closeTarget', { targetId: this.id });
  }

  /** Closes a popup that was never wanted. Not at once: closed while it is stopped, it would stop its opener for ever. */
  async refuse(): Promise<void> {
    await this.session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }); // its request never leaves
    await this.resume();
    this.close();
  }
}

export interface NewPage {
  readonly width: number;
  readonly height: number;
  readonly browserContextId: string | undefined;
}

export class PageTargets {
  /** Gets each page that another page opened by itself. */
  onPopup: (popup: PageTarget, openerId: string) => void = (popup) => void popup.refuse().catch(() => {});
  readonly #pipe: DevToolsPipe;
  readonly #targets = new Map<string, PageTarget>();
  readonly #awaited = new Map<string, (target: PageTarget) => void>();
  #opening = 0;

  constructor(pipe: DevToolsPipe) {
    this.#pipe = pipe;
  }

  async start(): Promise<void> {
    const { browser } = this.#pipe;
    browser.on('Target.attachedToTarget', ({ sessionId, targetInfo }) =>
      this.#attached(targetInfo.targetId, sessionId, targetInfo.openerId),
    );
    browser.on('Target.targetCrashed', ({ targetId, status, errorCode }) =>
      this.#targets.get(targetId)?.emit('crashed', status, errorCode),
    );
    browser.on('Target.targetDestroyed', ({ targetId }) => {
      this.#targets.get(targetId)?.emit('gone');
      this.#targets.delete(targetId);
    });
    const filter = [{ type: 'page' }];
    await browser.send('Target.setDiscoverTargets', { discover: true, filter });
    await browser.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter,
    });
  }

  /** Opens an empty page in a window of its own. It is stopped, to be resumed. */
  async open({ width, height, browserContextId }: NewPage): Promise<PageTarget> {
    const context = browserContextId === undefined ? {} : { browserContextId };
    this.#opening += 1;
    const created = this.#pipe.browser.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      width,
      height,
      ...context,
    });
    const { targetId } = await created.finally(() => {
      this.#opening -= 1;
    });
    return this.#targets.get(targetId) ?? new Promise((resolve) => this.#awaited.set(targetId, resolve));
  }

  #attached(id: string, sessionId: string, openerId: string | undefined): void {
    const target = new PageTarget(id, this.#pipe.session(sessionId), this.#pipe.browser);
    this.#targets.set(id, target);
    const awaited = this.#awaited.get(id);
    this.#awaited.delete(id);
    if (openerId !== undefined) this.onPopup(target, openerId);
    else if (awaited) awaited(target);
    else if (this.#opening === 0) target.close(); // a tab that a person opened: Electron has none
  }
}
