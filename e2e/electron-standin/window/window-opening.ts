/** What becomes of the windows that a page wants to open: `setWindowOpenHandler` says. */
import type { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, HandlerDetails, WebContents } from 'electron';
import type { DevToolsSession } from '../browser/devtools-pipe.ts';
import type { PageTarget } from '../browser/page-targets.ts';
import { askBeforeOpeningWindows, type WantedWindow } from './page-script.ts';

type Handler = Parameters<WebContents['setWindowOpenHandler']>[0];

/** Makes a window, of the page that Chromium has opened already or of a new one. */
export type OpenChild = (options: BrowserWindowConstructorOptions, page: PageTarget | null) => ChildWindow;
export interface ChildWindow {
  loadURL(url: string): Promise<void>;
}

const BINDING = '__electronStandInOpens';
const SCRIPT = `(${String(askBeforeOpeningWindows)})('${BINDING}')`;

export class WindowOpening {
  readonly #contents: EventEmitter;
  readonly #openChild: OpenChild;
  readonly #sessions: ReadonlySet<DevToolsSession>;
  #handler: Handler | null = null;
  /** What Chromium said last that the page is opening. */
  #announced: HandlerDetails | null = null;

  constructor(contents: EventEmitter, sessions: ReadonlySet<DevToolsSession>, openChild: OpenChild) {
    this.#contents = contents;
    this.#sessions = sessions;
    this.#openChild = openChild;
  }

  setHandler(handler: Handler): void {
    this.#handler = handler;
    for (const session of this.#sessions) void this.#askInPage(session).catch(() => {});
  }

  async watch(session: DevToolsSession): Promise<void> {
    session.on('Page.windowOpen', ({ url, windowName, windowFeatures }) => {
      const frameName = windowName === '_blank' ? '' : windowName;
      this.#announced = handlerDetails({ url, frameName, features: windowFeatures.join(',') });
    });
    session.on('Page.frameRequestedNavigation', ({ url, disposition }) => {
      if (disposition !== 'currentTab') this.#announced = handlerDetails({ url });
    });
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === BINDING) this.#wanted(JSON.parse(payload) as WantedWindow);
    });
    await Promise.all([session.send('Runtime.enable'), this.#handler && this.#askInPage(session)]);
  }

  /** A page that Chromium opened all the same: there is no handler, or it is a form's, say. */
  async opened(page: PageTarget): Promise<void> {
    const details = this.#announced ?? handlerDetails({ url: 'about:blank' });
    this.#announced = null;
    const options = this.#ask(details);
    if (options) this.#announceChild(this.#openChild(options, page), options, details);
    else await page.refuse();
  }

  async #askInPage(session: DevToolsSession): Promise<void> {
    await Promise.all([
      session.send('Runtime.addBinding', { name: BINDING }),
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: SCRIPT, runImmediately: true }),
    ]);
  }

  #wanted({ referrer, ...wanted }: WantedWindow): void {
    const details = handlerDetails({
      ...wanted,
      referrer: { url: referrer, policy: 'strict-origin-when-cross-origin' },
    });
    const options = this.#ask(details);
    if (!options) return;
    const child = this.#openChild(options, null);
    void child.loadURL(details.url).catch(() => {}); // its did-fail-load says so
    this.#announceChild(child, options, details);
  }

  /** @returns the options of the window, null when it is denied */
  #ask(details: HandlerDetails): BrowserWindowConstructorOptions | null {
    const response = this.#handler?.(details) ?? { action: 'allow' as const };
    if (response.action === 'deny') return null;
    return { ...sizeIn(details.features), ...response.overrideBrowserWindowOptions };
  }

  #announceChild(child: ChildWindow, options: BrowserWindowConstructorOptions, details: HandlerDetails): void {
    const { url, frameName, referrer, disposition } = details;
    this.#contents.emit('did-create-window', child, { url, frameName, referrer, disposition, options });
  }
}

function handlerDetails(known: Partial<HandlerDetails>): HandlerDetails {
  const referrer = { url: '', policy: 'strict-origin-when-cross-origin' as const };
  return { url: '', frameName: '', features: '', disposition: 'foreground-tab', referrer, ...known };
}

/** `width=300,height=200` */
function sizeIn(features: string): BrowserWindowConstructorOptions {
  const pairs = features.split(',').map((feature) => feature.trim().split('='));
  const numbers = pairs.filter(([name = '']) => ['width', 'height'].includes(name)).map(([n, v]) => [n, Number(v)]);
  return Object.fromEntries(numbers) as BrowserWindowConstructorOptions;
}
