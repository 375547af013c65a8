/** Restricts every window to the pages of one origin. */
import type { WebPreferences } from 'electron';
import type { ElectronHost, HostContents, HostSession } from './electron-host.ts';

/** Every page runs in Chromium's sandbox, without access to Node or Electron. */
export const lockedDown: WebPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  webviewTag: false,
  navigateOnDragDrop: false,
};

/** The sites that our own texts link to. Only these open in the user's browser, and only over https. */
const outsideHosts: ReadonlySet<string> = new Set(['www.python.org']);

/** Whether a link may be opened in the user's browser. */
export function isOutsideLink(url: string): boolean {
  const link = URL.parse(url);
  return link?.protocol === 'https:' && link.username === '' && outsideHosts.has(link.hostname);
}

export interface WindowRules {
  /** The only origin whose pages the window shows. */
  readonly origin: string;
  /** Called for a denied link to another origin or a denied new window. */
  readonly onLink: (url: string) => void;
}

/** Denies by default: a window without rules shows no page. */
export class WindowGuard {
  readonly #rules = new WeakMap<HostContents, WindowRules>();

  constructor({ app }: Pick<ElectronHost, 'app'>) {
    app.on('web-contents-created', (_event, contents) => this.#restrict(contents));
  }

  allow(contents: HostContents, rules: WindowRules): void {
    this.#rules.set(contents, rules);
  }

  #restrict(contents: HostContents): void {
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
    // A page must not keep its window from closing.
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

/** Grants only the named permissions, to one origin. Electron's default grants all. */
export function grantOnly(session: HostSession, granted: { origin: string; permissions: readonly string[] }): void {
  const may = (permission: string, url: string | undefined) =>
    granted.permissions.includes(permission) && URL.parse(url ?? '')?.origin === granted.origin;
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(may(permission, details.requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) => may(permission, requestingOrigin));
  session.setDevicePermissionHandler(() => false);
}
