/** The page of a window, as Chromium has it: a target, and a conversation with each process that its frames live in. */
import type { CDPSession } from '@playwright/test';
import type { DevToolsPipe, DevToolsSession } from '../browser/devtools-pipe.ts';
import type { PageTarget } from '../browser/page-targets.ts';

/**
 * Sets up what is to watch the page in one of its processes, before anything runs there. It must send all its commands
 * at once, without an answer to any: a page that has no process yet answers only after it was resumed, and Playwright
 * may resume it as soon as it has sent its own.
 */
export type Prepare = (session: DevToolsSession, target: PageTarget) => Promise<void>;

export class Page {
  /** Null until it is open. */
  target: PageTarget | null = null;
  readonly sessions = new Set<DevToolsSession>();
  readonly #ready: Promise<PageTarget>;
  readonly #prepare: Prepare;

  constructor(open: Promise<{ target: PageTarget; pipe: DevToolsPipe }>, prepare: Prepare) {
    this.#prepare = prepare;
    this.#ready = open.then(({ target, pipe }) => this.#set(target, pipe));
    this.#ready.catch(() => {}); // whoever loads something is told
  }

  /** Fulfilled when the page is prepared and runs. */
  get ready(): Promise<PageTarget> {
    return this.#ready;
  }

  readonly send = (async (method, params) => (await this.#ready).session.send(method, params)) as CDPSession['send'];

  /** For commands whose page may be gone already. */
  tell(...[method, params]: Parameters<CDPSession['send']>): void {
    void this.send(method, params).catch(() => {});
  }

  close(): void {
    void this.#ready.then((target) => target.close()).catch(() => {});
  }

  async #set(target: PageTarget, pipe: DevToolsPipe): Promise<PageTarget> {
    this.target = target;
    await Promise.all([this.#join(target.session, target, pipe), target.resume()]);
    return target;
  }

  /** Frames of other sites live in processes of their own, and so may the frames within them. */
  async #join(session: DevToolsSession, target: PageTarget, pipe: DevToolsPipe): Promise<void> {
    this.sessions.add(session);
    session.on('Target.attachedToTarget', ({ sessionId }) => {
      const frame = pipe.session(sessionId);
      session.on('Target.detachedFromTarget', (detached) => {
        if (detached.sessionId === sessionId) this.sessions.delete(frame);
      });
      this.#join(frame, target, pipe).catch(() => {}); // the frame is gone already
      frame.tell('Runtime.runIfWaitingForDebugger');
    });
    const filter = [{ type: 'iframe' }];
    await Promise.all([
      session.send('Page.enable'),
      session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter }),
      this.#prepare(session, target),
    ]);
  }
}
