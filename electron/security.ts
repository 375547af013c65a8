/** Restricts every window to the pages of one origin. */
import type { WebPreferences } from 'electron';
import { isPageOf } from './addresses.ts';
import type { ElectronHost, HostContents } from './electron-host.ts';

/** Every page runs in Chromium's sandbox, without access to Node or Electron. */
export const lockedDown: WebPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  // It would download dictionaries.
  spellcheck: false,
  // From the second message of a page on, its user can silence the rest.
  safeDialogs: true,
  safeDialogsMessage: 'Show no more messages of this page',
};

interface WindowRules {
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
    // Electron would send the first certificate that the user has.
    app.on('select-client-certificate', (event, _contents, _url, _certificates, choose) => {
      event.preventDefault();
      choose();
    });
    // Electron's defaults, held whatever they become: no trust in a broken certificate, no name and password.
    app.on('certificate-error', (event, _contents, _url, _error, _certificate, isTrusted) => {
      event.preventDefault();
      isTrusted(false);
    });
    app.on('login', (event, _contents, _response, _server, signIn) => {
      event.preventDefault();
      signIn();
    });
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
    // Electron would choose the first device.
    contents.on('select-bluetooth-device', (event, _devices, choose) => {
      event.preventDefault();
      choose('');
    });
    contents.setWindowOpenHandler(({ url }) => {
      this.#rules.get(contents)?.onLink(url);
      return { action: 'deny' };
    });
  }

  #mayShow(contents: HostContents, url: string): boolean {
    const origin = this.#rules.get(contents)?.origin;
    return origin !== undefined && isPageOf(origin, url);
  }
}
