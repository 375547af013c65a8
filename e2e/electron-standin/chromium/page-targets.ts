import { EventEmitter } from 'node:events';
import type { DevTools, DevToolsSession } from './devtools.ts';

interface PageTargetEvents {
  crashed: [exitCode: number];
  gone: [];
}

/** A page of Chromium. */
export class PageTarget extends EventEmitter<PageTargetEvents> {
  /** Also the id of its main frame. */
  readonly id: string;
  readonly session: DevToolsSession;

  constructor(id: string, session: DevToolsSession) {
    super();
    this.id = id;
    this.session = session;
  }
}

interface NewPage {
  readonly width: number;
  readonly height: number;
  /** Absent for the default context. */
  readonly browserContextId?: string;
}

/** The pages of Chromium. Pages that Chromium opens by itself are closed before they have requested anything. */
export class PageTargets {
  readonly #devTools: DevTools;
  readonly #targets = new Map<string, PageTarget>();
  #opening = 0;

  constructor(devTools: DevTools) {
    this.#devTools = devTools;
  }

  async start(): Promise<void> {
    const { browser } = this.#devTools;
    browser.on('Target.attachedToTarget', ({ sessionId, targetInfo: { targetId, openerId } }) => {
      const target = new PageTarget(targetId, this.#devTools.session(sessionId));
      this.#targets.set(targetId, target);
      if (openerId !== undefined || this.#opening === 0) void this.#refuse(target).catch(() => {});
    });
    browser.on('Target.targetCrashed', ({ targetId, errorCode }) =>
      this.#targets.get(targetId)?.emit('crashed', errorCode),
    );
    browser.on('Target.targetDestroyed', ({ targetId }) => {
      this.#targets.get(targetId)?.emit('gone');
      this.#targets.delete(targetId);
    });
    const filter = [{ type: 'page' }];
    const attach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter };
    await browser.send('Target.setDiscoverTargets', { discover: true, filter });
    await browser.send('Target.setAutoAttach', attach);
  }

  /** Opens an empty page in a new window, paused until `Runtime.runIfWaitingForDebugger`. */
  async open(page: NewPage): Promise<PageTarget> {
    this.#opening += 1;
    const options = { url: 'about:blank', newWindow: true, ...page };
    const created = this.#devTools.browser.send('Target.createTarget', options);
    const { targetId } = await created.finally(() => {
      this.#opening -= 1;
    });
    // Chromium attaches to a page before it answers.
    const target = this.#targets.get(targetId);
    if (!target) throw new Error('Chromium did not attach to its new page.');
    return target;
  }

  close({ id }: PageTarget): void {
    this.#devTools.browser.trySend('Target.closeTarget', { targetId: id });
  }

  /** Lets the page run first: closed while it is paused, it would stop its opener for ever. */
  async #refuse(target: PageTarget): Promise<void> {
    await target.session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }); // its requests wait for ever
    await target.session.send('Runtime.runIfWaitingForDebugger');
    this.close(target);
  }
}
