/** Chromium in a process of its own, with a profile that lives as long as it does. */
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type ChromiumSwitches, chromiumArguments } from './chromium-arguments.ts';
import { DevToolsPipe } from './devtools-pipe.ts';
import { findChromium } from './find-chromium.ts';
import { PageTargets } from './page-targets.ts';
import { ProfileGuard } from './profile-guard.ts';

const LAST_WORDS = 2_000;

export class Chromium {
  readonly pipe: DevToolsPipe;
  readonly targets: PageTargets;
  /** Chromium's, `156.0.8078.79`. */
  readonly version: string;
  /** Fulfilled when it has ended, asked to or not. */
  readonly exited: Promise<void>;
  readonly #profile: ProfileGuard;

  private constructor(pipe: DevToolsPipe, product: string, exited: Promise<void>, profile: ProfileGuard) {
    this.pipe = pipe;
    this.targets = new PageTargets(pipe);
    this.version = product.slice(product.indexOf('/') + 1);
    this.exited = exited;
    this.#profile = profile;
  }

  /** @throws Error with its last words when it does not start */
  static async start(switches: ChromiumSwitches): Promise<Chromium> {
    const program = findChromium();
    const profile = new ProfileGuard();
    const stdio = ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] as const;
    const child = profile.spawn(program, chromiumArguments(profile.folder, switches), [...stdio]);
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve()); // it could not be spawned
    });
    const output = new BrowserOutput(child);
    try {
      const pipe = new DevToolsPipe(child.stdio[3] as Writable, child.stdio[4] as Readable);
      const ready = Promise.all([
        pipe.browser.send('Browser.getVersion'),
        switches.remoteDebuggingPort === null ? null : output.debuggingUrl,
      ]);
      const [{ product }, debuggingUrl] = await Promise.race([ready, exited.then(() => Promise.reject(new Error()))]);
      const chromium = new Chromium(pipe, product, exited, profile);
      await chromium.targets.start();
      // Playwright reads this line, as Electron writes it.
      if (debuggingUrl !== null) process.stderr.write(`\nDevTools listening on ${debuggingUrl}\n`);
      return chromium;
    } catch (error) {
      await profile.remove(exited);
      throw new Error(`Chromium did not start.\n${output.lastWords}`, { cause: error });
    }
  }

  /** Ends it and leaves nothing of it. */
  close(): Promise<void> {
    return this.#profile.remove(this.exited);
  }
}

/** What Chromium writes to stderr, which is mostly about the desktop that it misses. */
class BrowserOutput {
  lastWords = '';
  readonly debuggingUrl: Promise<string>;

  constructor(child: ChildProcess) {
    this.debuggingUrl = new Promise((resolve) => {
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        const words = this.lastWords + text;
        const [, url] = /DevTools listening on (ws:\S+)\s/.exec(words) ?? [];
        if (url !== undefined) resolve(url);
        this.lastWords = words.slice(-LAST_WORDS);
      });
    });
    child.once('error', (error) => {
      this.lastWords += error.message;
    });
  }
}
