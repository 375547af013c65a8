/** The module's `app`. */
import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { RelaunchOptions } from 'electron';
import type { Chromium } from '../browser/chromium.ts';
import { emitEvent } from '../events.ts';
import { launch } from '../launch.ts';
import { addRecordedMethods, record } from '../record.ts';
import { AppPaths } from './app-paths.ts';
import { CommandLine } from './command-line.ts';
import { Lifecycle } from './lifecycle.ts';
import { readiness } from './readiness.ts';
import { type SecondInstance, SingleInstanceLock } from './single-instance-lock.ts';

const RECORDED = [
  'addRecentDocument',
  'clearRecentDocuments',
  'disableHardwareAcceleration',
  'enableSandbox',
  'focus',
  'hide',
  'setAboutPanelOptions',
  'setAppLogsPath',
  'setAppUserModelId',
  'setAsDefaultProtocolClient',
  'setBadgeCount',
  'setDesktopName',
  'setLoginItemSettings',
  'setProxy',
  'setUserTasks',
  'show',
  'showAboutPanel',
];

export class App extends EventEmitter {
  readonly isPackaged = launch.isPackaged;
  readonly commandLine = new CommandLine();
  name = launch.packageJson.productName ?? launch.packageJson.name ?? 'Electron';
  readonly #paths = new AppPaths(() => this.name, this.commandLine.getSwitchValue('user-data-dir'));
  readonly #lifecycle = new Lifecycle(this);
  readonly #lock = new SingleInstanceLock((second) => void this.#announce(second));
  readonly #ready = Promise.withResolvers<void>();

  constructor() {
    super();
    addRecordedMethods(this, 'app', RECORDED);
  }

  whenReady(): Promise<void> {
    return this.#ready.promise;
  }
  isReady(): boolean {
    return readiness.isReady;
  }
  getName(): string {
    return this.name;
  }
  setName(name: string): void {
    this.name = name;
  }
  getVersion(): string {
    return launch.packageJson.version ?? '0.0.0';
  }
  getAppPath(): string {
    return launch.appPath;
  }
  getLocale(): string {
    return 'en-US';
  }
  getSystemLocale(): string {
    return 'en-US';
  }
  getPreferredSystemLanguages(): string[] {
    return ['en-US'];
  }
  getLocaleCountryCode(): string {
    return 'US';
  }
  getPath(name: string): string {
    return this.#paths.get(name);
  }
  setPath(name: string, path: string): void {
    this.#paths.set(name, path);
  }

  requestSingleInstanceLock(additionalData: unknown = null): boolean {
    return this.#lock.request(this.getPath('userData'), additionalData);
  }
  hasSingleInstanceLock(): boolean {
    return this.#lock.isHeld;
  }
  releaseSingleInstanceLock(): void {
    this.#lock.release();
  }

  quit(): void {
    this.#lifecycle.quit();
  }
  exit(code = 0): void {
    // Before Electron has a loop to end, it ends on the spot.
    if (!readiness.isReady) process.exit(code);
    this.#lifecycle.exit(code);
  }
  /** Only recorded: an instance that nobody waits for would outlive the test. */
  relaunch(options: RelaunchOptions = {}): void {
    record('app.relaunch', [options]);
  }

  /** For the stand-in itself. */
  get isEnding(): boolean {
    return this.#lifecycle.isEnding;
  }

  /** For the stand-in itself: the main module is loaded and Chromium runs. */
  becomeReady({ version, exited }: Pick<Chromium, 'version' | 'exited'>): void {
    if (this.isEnding) return;
    Object.defineProperty(process.versions, 'chrome', { value: version, enumerable: true });
    makeFolder(this.getPath('userData'));
    void exited.then(() => this.#lifecycle.browserDied());
    readiness.isReady = true;
    emitEvent(this, 'ready', {}, {});
    this.#ready.resolve();
  }

  async #announce({ argv, workingDirectory, additionalData }: SecondInstance): Promise<void> {
    await this.#ready.promise; // never before `ready`
    emitEvent(this, 'second-instance', {}, argv, workingDirectory, additionalData);
  }
}

export const app = new App();

/** Chromium makes it for Electron, and goes on without. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch {
    // the app will find out itself
  }
}
