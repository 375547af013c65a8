/**
 * The permission handlers of a session. Chromium cannot ask us per request, so it is told for each origin, before the
 * first document of it, what the handlers answer for every permission; and again when the handlers change.
 */
import type { Session, WebContents } from 'electron';
import type { DevToolsSession } from '../browser/devtools-pipe.ts';
import { KNOWN_PERMISSIONS } from './known-permissions.ts';

type RequestHandler = NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>;
type CheckHandler = NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>;
type KnownPermission = (typeof KNOWN_PERMISSIONS)[number];

/** A handler that does not answer within it has refused. */
const ANSWER_MS = 1_000;

/** Where the pages of a session are, once Chromium runs. */
export interface BrowserContext {
  readonly browser: DevToolsSession;
  /** Undefined for Chromium's own, the default session's. */
  readonly id: string | undefined;
}

export class Permissions {
  readonly #context: () => Promise<BrowserContext>;
  readonly #told = new Map<string, WebContents>();
  #requestHandler: RequestHandler | null = null;
  #checkHandler: CheckHandler | null = null;

  constructor(context: () => Promise<BrowserContext>) {
    this.#context = context;
  }

  setRequestHandler(handler: RequestHandler | null): void {
    this.#requestHandler = handler;
    this.#tellAgain();
  }

  setCheckHandler(handler: CheckHandler | null): void {
    this.#checkHandler = handler;
    this.#tellAgain();
  }

  /** To be awaited before a document of the origin loads. */
  async applyTo(url: string, contents: WebContents): Promise<void> {
    const { origin } = new URL(url);
    if (origin === 'null' || this.#told.has(origin)) return;
    this.#told.set(origin, contents);
    await this.#tell(origin, contents);
  }

  #tellAgain(): void {
    for (const [origin, contents] of this.#told) void this.#tell(origin, contents).catch(() => {});
  }

  async #tell(origin: string, contents: WebContents): Promise<void> {
    const { browser, id } = await this.#context();
    const context = id === undefined ? {} : { browserContextId: id };
    const tellOne = async (known: KnownPermission) => {
      const setting = (await this.#isGranted(known, origin, contents)) ? 'granted' : 'denied';
      await browser.send('Browser.setPermission', { permission: known.chromium, setting, origin, ...context });
    };
    await Promise.all(KNOWN_PERMISSIONS.map(tellOne));
  }

  /** Without handlers everything is granted, as in Electron. */
  async #isGranted(known: KnownPermission, origin: string, contents: WebContents): Promise<boolean> {
    const permission = known.electron as Parameters<RequestHandler>[1];
    const details = { ...known.details, isMainFrame: true, requestingUrl: `${origin}/`, securityOrigin: origin };
    const check = this.#checkHandler;
    if (check && !check(contents, permission, origin, details as Parameters<CheckHandler>[3])) return false;
    const request = this.#requestHandler;
    if (!request) return true;
    return new Promise((resolve) => {
      setTimeout(() => resolve(false), ANSWER_MS).unref();
      request(contents, permission, resolve, details);
    });
  }
}
