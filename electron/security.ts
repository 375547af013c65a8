/** What a window may do: nothing but show the pages of one origin. The rest is denied, here, for every window. */
import type { WebPreferences } from 'electron';
import type { ElectronHost, HostContents, HostSession } from './electron-host.ts';

/** For every window: the page is an ordinary page in Chromium's sandbox, with no way to Node or to Electron. */
export const lockedDown: WebPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  webviewTag: false,
  navigateOnDragDrop: false,
};

/** The sites that our own texts lead to. Only these are given to the user's browser, and only over https. */
const outsideHosts: ReadonlySet<string> = new Set(['www.python.org']);

/** Whether a link may be opened in the user's browser. */
export function isOutsideLink(url: string): boolean {
  const link = URL.parse(url);
  return link?.protocol === 'https:' && link.username === '' && outsideHosts.has(link.hostname);
}

/** What a window is for. */
export interface WindowRules {
  /** The one origin whose pages it shows. */
  readonly origin: string;
  /** A link that leads elsewhere was followed, or a new window asked for. It was denied; something else may be done. */
  readonly onLink: (url: string) => void;
}

/** Denies by default: a window that no rules were given for can go nowhere. */
export class WindowGuard {
  readonly #rules = new WeakMap<HostContents, WindowRules>();

  constructor({ app }: Pick<ElectronHost, 'app'>) {
    app.on('web-contents-created', (_event, contents) => this.#close(contents));
  }

  allow(contents: HostContents, rules: WindowRules): void {
    this.#rules.set(contents, rules);
  }

  #close(contents: HostContents): void {
    const stay = (event: { preventDefault(): void; url: string }) => {
      if (this.#mayShow(contents, event.url)) return;
      event.preventDefault();
      this.#rules.get(contents)?.onLink(event.url);
    };
    contents.on('will-navigate', stay);
    contents.on('will-redirect', (event) => {
      if (!this.#mayShow(contents, event.url)) event.preventDefault();
    });
    contents.on('will-frame-navigate', (event) => {
      if (!event.isMainFrame && !this.#mayShow(contents, event.url)) event.preventDefault();
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
    // Prevented: that a page keeps its window from closing.
    contents.on('will-prevent-unload', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      this.#rules.get(contents)?.onLink(url);
      return { action: 'deny' };
    });
  }

  #mayShow(contents: HostContents, url: string): boolean {
    const origin = this.#rules.get(contents)?.origin;
    return origin !== undefined && URL.parse(url)?.origin === origin;
  }
}

/** Electron grants every permission by default; here only those that are named are granted, to one origin. */
export function grantOnly(session: HostSession, granted: { origin: string; permissions: readonly string[] }): void {
  const may = (permission: string, url: string | undefined) =>
    granted.permissions.includes(permission) && URL.parse(url ?? '')?.origin === granted.origin;
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(may(permission, details.requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) => may(permission, requestingOrigin));
  session.setDevicePermissionHandler(() => false);
}
