import { EventEmitter } from 'node:events';
import type { CookiesSetDetails, Session as ElectronSession } from 'electron';
import { knowsOnly } from './events.ts';
import { isGranted, KNOWN_PERMISSIONS, type PermissionHandlers } from './permissions.ts';
import { runningChromium } from './running-chromium.ts';

/** Chromium's names of Electron's values. */
const SAME_SITE = { strict: 'Strict', lax: 'Lax', no_restriction: 'None', unspecified: undefined } as const;

const DOWNLOADS = { behavior: 'allowAndName', eventsEnabled: true } as const;

/** A partition: a context of Chromium with its own cookies, storage and permissions. Nothing in it outlives the app. */
export class Session extends EventEmitter {
  readonly cookies = { set: (details: CookiesSetDetails) => this.#setCookie(details) };
  #context: Promise<{ readonly browserContextId?: string }>;
  readonly #browser = runningChromium().devTools.browser;
  readonly #handlers: PermissionHandlers = { request: null, check: null };
  readonly #knownOrigins = new Map<string, Promise<unknown>>();

  constructor(partition: string) {
    super();
    const neverEmitted = [
      ...['hid-device', 'usb-device', 'serial-port'].map((device) => `select-${device}`),
      'file-system-access-restricted',
    ];
    knowsOnly(this, ['will-download', ...neverEmitted]);
    this.#context = partition === '' ? Promise.resolve({}) : this.#newContext();
    this.#keepDownloads();
  }

  /** For Chromium's commands. */
  get context(): Promise<{ readonly browserContextId?: string }> {
    return this.#context;
  }

  setPermissionRequestHandler(handler: Parameters<ElectronSession['setPermissionRequestHandler']>[0]): void {
    this.#handlers.request = handler;
  }
  setPermissionCheckHandler(handler: Parameters<ElectronSession['setPermissionCheckHandler']>[0]): void {
    this.#handlers.check = handler;
  }
  /** Never called: Chromium refuses devices. */
  setDevicePermissionHandler(): void {}
  /** Never called: the page has no permission to ask. */
  setDisplayMediaRequestHandler(): void {}
  /** There is no checker: Chromium may not download dictionaries. */
  setSpellCheckerEnabled(): void {}
  setSpellCheckerLanguages(): void {}

  /** A new context takes the place of the old one, whose pages are closed. Not for the default session. */
  async clearStorageData(): Promise<void> {
    const { browserContextId } = await this.#context;
    if (!browserContextId) throw new Error('The stand-in clears no storage of the default session');
    this.#context = this.#newContext();
    this.#knownOrigins.clear();
    this.#keepDownloads();
    await this.#browser.send('Target.disposeBrowserContext', { browserContextId });
  }
  /** Clears nothing: the cache goes with the storage. */
  async clearCache(): Promise<void> {}

  /** For the stand-in, before a document loads: Chromium cannot ask at each request, so the permissions are set once for each origin. */
  async applyPermissions(url: string): Promise<void> {
    const { origin } = new URL(url);
    if (origin === 'null') return;
    const known = this.#knownOrigins.get(origin) ?? this.#setPermissions(origin);
    this.#knownOrigins.set(origin, known);
    await known;
  }

  #newContext(): Promise<{ readonly browserContextId: string }> {
    return this.#browser.send('Target.createBrowserContext');
  }

  #keepDownloads(): void {
    const options = { ...DOWNLOADS, downloadPath: runningChromium().downloadFolder };
    this.#context
      .then((context) => this.#browser.send('Browser.setDownloadBehavior', { ...options, ...context }))
      .catch(() => {}); // Chromium has ended, and the app with it
  }

  async #setPermissions(origin: string): Promise<void> {
    const context = await this.context;
    const setOne = async (known: (typeof KNOWN_PERMISSIONS)[number]) => {
      const setting = (await isGranted(known, origin, this.#handlers)) ? 'granted' : 'denied';
      await this.#browser.send('Browser.setPermission', { permission: known.chromium, setting, origin, ...context });
    };
    await Promise.all(KNOWN_PERMISSIONS.map(setOne));
  }

  async #setCookie({ name = '', value = '', sameSite = 'lax', expirationDate, ...more }: CookiesSetDetails) {
    const renamed = {
      ...(SAME_SITE[sameSite] && { sameSite: SAME_SITE[sameSite] }),
      ...(expirationDate !== undefined && { expires: expirationDate }),
    };
    const cookies = [{ name, value, ...more, ...renamed }];
    await this.#browser.send('Storage.setCookies', { cookies, ...(await this.context) });
  }
}

const sessions = new Map<string, Session>();

export const session = {
  get defaultSession(): Session {
    return session.fromPartition('');
  },
  /** @throws Error before the app is ready */
  fromPartition(partition: string): Session {
    const known = sessions.get(partition) ?? new Session(partition);
    sessions.set(partition, known);
    return known;
  },
};
