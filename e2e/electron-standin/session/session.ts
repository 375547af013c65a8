/** Sessions: each partition is a browser context of its own, with its own cookies, storage and permissions. */
import { EventEmitter } from 'node:events';
import type { Session as ElectronSession } from 'electron';
import { requireReady } from '../app/readiness.ts';
import { runningBrowser } from '../browser/running-browser.ts';
import { addRecordedMethods, record } from '../record.ts';
import { Cookies } from './cookies.ts';
import { announceDownloads } from './downloads.ts';
import { type BrowserContext, Permissions } from './permissions.ts';

const RECORDED = [
  'clearAuthCache',
  'clearCache',
  'flushStorageData',
  'setBluetoothPairingHandler',
  'setCertificateVerifyProc',
  'setDevicePermissionHandler',
  'setDisplayMediaRequestHandler',
  'setDownloadPath',
  'setProxy',
  'setSpellCheckerEnabled',
  'setSpellCheckerLanguages',
  'setUSBProtectedClassesHandler',
  'setUserAgent',
];
const WEB_REQUEST = [
  'onBeforeRequest',
  'onBeforeSendHeaders',
  'onHeadersReceived',
  'onBeforeRedirect',
  'onCompleted',
  'onErrorOccurred',
];

export class Session extends EventEmitter {
  readonly partition: string;
  readonly permissions = new Permissions(() => this.context());
  readonly cookies = new Cookies(() => this.context());
  /** Accepts every listener and calls none. */
  readonly webRequest = {};
  #context: Promise<BrowserContext> | null = null;

  constructor(partition: string) {
    super();
    this.partition = partition;
    addRecordedMethods(this, 'session', RECORDED);
    addRecordedMethods(this.webRequest, 'session.webRequest', WEB_REQUEST);
  }

  setPermissionRequestHandler(handler: Parameters<ElectronSession['setPermissionRequestHandler']>[0]): void {
    this.permissions.setRequestHandler(handler);
  }

  setPermissionCheckHandler(handler: Parameters<ElectronSession['setPermissionCheckHandler']>[0]): void {
    this.permissions.setCheckHandler(handler);
  }

  isPersistent(): boolean {
    return this.partition === '' || this.partition.startsWith('persist:');
  }

  async clearStorageData(options: object = {}): Promise<void> {
    record('session.clearStorageData', [options]);
    const { browser, id } = await this.context();
    await browser.send('Storage.clearCookies', id === undefined ? {} : { browserContextId: id });
  }

  context(): Promise<BrowserContext> {
    this.#context ??= this.#openContext();
    return this.#context;
  }

  async #openContext(): Promise<BrowserContext> {
    const { browser } = (await runningBrowser()).pipe;
    const created = this.partition === '' ? null : await browser.send('Target.createBrowserContext', {});
    const context = { browser, id: created?.browserContextId };
    await announceDownloads(this, context);
    return context;
  }
}

const sessions = new Map<string, Session>();

export const session = {
  get defaultSession(): Session {
    return session.fromPartition('');
  },
  /** The same object each time. */
  fromPartition(partition: string): Session {
    requireReady('Session can only be received when app is ready');
    const known = sessions.get(partition) ?? new Session(partition);
    sessions.set(partition, known);
    return known;
  },
};
