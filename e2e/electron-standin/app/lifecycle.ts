/** How the app ends. The order, and who may prevent what, is Electron's. */
import type { EventEmitter } from 'node:events';
import { closeBrowser } from '../browser/running-browser.ts';
import { emitEvent } from '../events.ts';
import { openWindows } from './open-windows.ts';

const BROWSER_DIED = 1;

export class Lifecycle {
  readonly #app: EventEmitter;
  #quitting = false;
  /** By `exit`, which asks nobody. */
  #exiting = false;
  #exitCode = 0;
  #ending = false;
  #browserDied = false;

  constructor(app: EventEmitter) {
    this.#app = app;
    openWindows.onEmptied = () => this.#windowsAllClosed();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => this.quit()); // the second one ends the process at once
    }
  }

  /** Past the point where it can be prevented. */
  get isEnding(): boolean {
    return this.#ending;
  }

  quit(): void {
    if (this.#quitting || this.#ending) return;
    if (emitEvent(this.#app, 'before-quit').defaultPrevented) return;
    this.#quitting = true;
    const windows = openWindows.all;
    if (windows.length === 0) this.#quitWithoutWindows();
    const closing = windows.map((window) => window.closeUnlessPrevented());
    if (closing.includes(false)) this.#quitting = false;
  }

  exit(code: number): void {
    if (this.#ending) return;
    this.#quitting = true;
    this.#exiting = true;
    this.#exitCode = code;
    const windows = openWindows.all;
    if (windows.length === 0) this.#end();
    for (const window of windows) window.destroy();
  }

  /** Electron has no such case: a part of it would have crashed. The app may shut down in order, and has failed. */
  browserDied(): void {
    if (this.#ending) return;
    this.#browserDied = true;
    console.error('Electron stand-in: Chromium has ended.');
    this.quit();
  }

  #windowsAllClosed(): void {
    if (this.#exiting) this.#end();
    else if (this.#quitting) this.#quitWithoutWindows();
    else if (this.#app.listenerCount('window-all-closed') > 0) this.#app.emit('window-all-closed');
    else this.quit();
  }

  #quitWithoutWindows(): void {
    if (this.#ending) return;
    if (emitEvent(this.#app, 'will-quit').defaultPrevented) this.#quitting = false;
    else this.#end();
  }

  #end(): void {
    if (this.#ending) return;
    this.#ending = true;
    const code = this.#browserDied ? BROWSER_DIED : this.#exitCode;
    emitEvent(this.#app, 'quit', {}, code);
    // What the caller does after quit() still happens.
    setImmediate(() => void closeBrowser().finally(() => process.exit(code)));
  }
}
