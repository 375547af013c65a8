import { EventEmitter } from 'node:events';
import type { Chromium } from '../chromium/chromium.ts';
import { emitEvent, knowsOnly } from './events.ts';
import { launch } from './launch.ts';
import { setRunningChromium } from './running-chromium.ts';
import { type SecondInstance, takeSingleInstanceLock } from './single-instance-lock.ts';

interface OpenWindow {
  destroy(): void;
}

class CommandLine {
  /** For Chromium. Playwright asks for a port of the DevTools protocol beside the stand-in's pipes. */
  readonly switches = launch.arguments.filter((argument) => argument.startsWith('--remote-debugging-port='));

  appendSwitch(name: string, value = ''): void {
    this.switches.push(value ? `--${name}=${value}` : `--${name}`);
  }
}

/** The life of the app: one instance, ready once, ended in Electron's order. */
class App extends EventEmitter {
  readonly isPackaged = launch.isPackaged;
  readonly commandLine = new CommandLine();
  readonly #windows = new Set<OpenWindow>();
  readonly #ready = Promise.withResolvers<void>();
  #chromium: Chromium | null = null;
  #userData: string | null = null;
  #isEnding = false;

  constructor() {
    super();
    const neverEmitted = [
      ...['activate', 'open-url'], // on macOS only
      ...['login', 'certificate-error', 'select-client-certificate'], // only this machine is reachable
    ];
    const events = ['ready', 'second-instance', 'window-all-closed', 'before-quit', 'quit', 'web-contents-created'];
    knowsOnly(this, [...events, ...neverEmitted]);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => this.quit()); // the second one ends the process at once
    }
  }

  whenReady(): Promise<void> {
    return this.#ready.promise;
  }
  getVersion(): string {
    return launch.packageJson.version;
  }
  getAppPath(): string {
    return launch.appPath;
  }
  setPath(name: string, path: string): void {
    if (name !== 'userData') throw new Error(`The Electron stand-in has no path '${name}'.`);
    this.#userData = path;
  }
  setAboutPanelOptions(): void {}
  /** @returns false: no desktop shows it */
  setBadgeCount(): boolean {
    return false;
  }

  requestSingleInstanceLock(): boolean {
    if (this.#userData === null) throw new Error('The Electron stand-in has no userData folder until it is set.');
    const announce = ({ argv, folder }: SecondInstance) =>
      void this.#ready.promise.then(() => emitEvent(this, 'second-instance', {}, argv, folder));
    const own = { argv: [launch.executable, ...launch.arguments], folder: process.cwd() };
    return takeSingleInstanceLock(this.#userData, own, announce);
  }

  quit(): void {
    if (!this.#isEnding && !emitEvent(this, 'before-quit').defaultPrevented) this.exit();
  }

  exit(code = 0): void {
    const chromium = this.#chromium;
    // Electron too ends on the spot before it is ready.
    if (!chromium) process.exit(code);
    if (this.#isEnding) return;
    this.#isEnding = true;
    emitEvent(this, 'quit', {}, code);
    for (const window of this.#windows) window.destroy();
    // After the caller's next statements.
    setImmediate(() => void chromium.close().finally(() => process.exit(code)));
  }

  /** Does nothing: a program that no test waits for would outlive it. */
  relaunch(): void {}

  /** For the stand-in: the main module is loaded, and Chromium runs. */
  becomeReady(chromium: Chromium): void {
    this.#chromium = chromium;
    setRunningChromium(chromium);
    void chromium.ended.then(() => this.#chromiumEnded());
    emitEvent(this, 'ready', {}, {});
    this.#ready.resolve();
  }

  /** For the stand-in. */
  windowOpened(window: OpenWindow): void {
    this.#windows.add(window);
  }

  /** For the stand-in. */
  windowClosed(window: OpenWindow): void {
    this.#windows.delete(window);
    if (this.#windows.size > 0 || this.#isEnding) return;
    if (!this.emit('window-all-closed')) this.quit();
  }

  /** Electron's main process aborts too, 50 ms to a second later: no handler of the app runs any more. */
  #chromiumEnded(): void {
    if (this.#isEnding) return;
    console.error('Electron stand-in: Chromium has ended.');
    process.kill(process.pid, 'SIGABRT');
  }
}

export const app = new App();
