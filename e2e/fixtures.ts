/** The fixtures of every journey: the real daemon in its own process, and a page whose errors fail the test. */
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { DaemonClient } from '../daemon/client/calls.ts';
import { daemonAt } from '../daemon/client/node/daemon-at.ts';
import { install } from '../daemon/client/node/install.ts';
import type { Job } from '../daemon/contract/jobs.ts';
import { type DaemonProcess, startDaemonProcess } from '../daemon/testing/daemon/daemon-process.ts';
import { fixtureApp, newDataDir, sampleApp, tracesIn } from '../daemon/testing/daemon/test-daemon.ts';
import { startFakeHub } from '../daemon/testing/fake-hub.ts';
import { test as base } from './own-page.ts';

export { expect, fixtureApp, sampleApp };

/** Finds the card of an app or a job by its name. */
export const card = (page: Page, name: string): Locator => page.getByRole('article', { name, exact: true });
/** The bar at the bottom of every page. */
export const statusBar = (page: Page): Locator => page.getByRole('contentinfo');

/** Options of the daemon of a test file. Playwright starts a new daemon for a file whose options differ. */
export interface DaemonOptions {
  /** Files with different names never share a daemon. */
  readonly name: string;
  /** Added to `--sim --port 0 --data-dir …`. */
  readonly args?: readonly string[];
  /** Folders of apps that are installed from the start. */
  readonly apps?: readonly string[];
}

/** The time limit for a daemon to stop after SIGINT. */
const STOP_MS = 10_000;

/** The real daemon on its own data folder and port; a restart keeps both. */
export class Daemon implements DaemonClient {
  readonly dataDir: string;
  readonly url: string;
  readonly call: DaemonClient['call'];
  readonly #args: readonly string[];
  #process: DaemonProcess;

  static async start(args: readonly string[] = []): Promise<Daemon> {
    const dataDir = await newDataDir();
    return new Daemon(dataDir, args, await startDaemonProcess(dataDir, args));
  }

  private constructor(dataDir: string, args: readonly string[], process: DaemonProcess) {
    this.dataDir = dataDir;
    this.url = process.url;
    this.call = daemonAt(process.url, { deadlineMs: null }).call;
    this.#args = args;
    this.#process = process;
  }

  readonly slot = () => this.call('getAppSlot');
  readonly installed = () => this.call('listApps');
  readonly jobs = () => this.call('listJobs');
  readonly output = () => this.call('getAppOutput');
  readonly robot = () => this.call('getRobot');
  readonly startApp = (appName: string) => this.call('startApp', { params: { appName } });
  /** Everything in the data folder that an install could leave behind. The tools are prepared ahead, while a page is open. */
  readonly traces = async () => (await tracesIn(this.dataDir)).filter((name) => !name.startsWith('tools-'));
  /** The live processes that the daemon started. */
  readonly children = () => this.#process.children();

  /** Installs a folder and waits for the end of the job. */
  install(folder: string): Promise<Job> {
    return install(this, folder, { withinMs: 30_000 });
  }

  /** Installs those of the folders that are not installed yet; each is named like its app. */
  async ensureInstalled(...folders: readonly string[]): Promise<void> {
    const names = (await this.installed()).map(({ name }) => name);
    for (const folder of folders.filter((path) => !names.includes(basename(path)))) {
      expect(await this.install(folder)).toMatchObject({ state: 'done', failure: null });
    }
  }

  /** Force-stops the running app, if any. */
  async freeSlot(): Promise<void> {
    if ((await this.slot()).state !== 'free') {
      await this.call('stopCurrentApp', { query: { force: true } }).catch(() => {});
    }
    await expect.poll(async () => (await this.slot()).state).toBe('free');
  }

  /** Sends SIGKILL, as the system does when memory runs out. */
  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** Stops the process without ending it, as a daemon that hangs. */
  freeze(): void {
    this.#process.process.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process.process.kill('SIGCONT');
  }

  /** Starts a new process on the same folder and port. */
  async restart(): Promise<void> {
    this.#process = await startDaemonProcess(this.dataDir, [...this.#args, '--port', new URL(this.url).port]);
  }

  /** Sends SIGINT, as Ctrl-C does, and deletes the data folder. @throws Error unless it exits with 0 and no process remains */
  async stop(): Promise<void> {
    const { process, exited } = this.#process;
    const late = setTimeout(() => process.kill('SIGKILL'), STOP_MS);
    process.kill('SIGINT');
    const code = await exited;
    clearTimeout(late);
    const left = await this.children();
    await rm(this.dataDir, { recursive: true, force: true });
    expect({ code, left }, 'the daemon exits with 0 and leaves no process').toEqual({ code: 0, left: [] });
  }
}

export interface TestFixtures {
  /** Opens the dashboard at a page, `#/apps`, and waits until it knows the daemon. */
  readonly open: (hash?: string) => Promise<void>;
}
export interface WorkerFixtures {
  readonly daemonOptions: DaemonOptions;
  readonly daemon: Daemon;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  daemonOptions: [{ name: '' }, { option: true, scope: 'worker' }],
  daemon: [
    async ({ daemonOptions: { args = [], apps = [] } }, use) => {
      // One that knows nothing, unless the file brings its own: without any, nothing can be deployed.
      await using hub = await startFakeHub();
      const daemon = await Daemon.start(args.includes('--hub') ? args : [...args, '--hub', hub.url]);
      try {
        await daemon.ensureInstalled(...apps);
        await use(daemon);
      } finally {
        await daemon.stop();
      }
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  page: async ({ page }, use) => {
    const pageErrors = collectPageErrors(page);
    await use(page);
    expect(pageErrors, 'errors in the browser').toEqual([]);
  },
  open: async ({ page, daemon }, use) => {
    await use((hash = '') => openDashboard(page, daemon, hash));
  },
});

export async function openDashboard(page: Page, daemon: Daemon, hash = ''): Promise<void> {
  const load = () => page.goto(`${daemon.url}/${hash}`);
  // Chromium gives up what it loads when a network interface comes or goes, as with the containers of another journey.
  await load().catch((error: Error) => {
    if (!error.message.includes('ERR_NETWORK_CHANGED')) throw error;
    return load();
  });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // Keys go nowhere that are pressed for a dialog before it is loaded. A visible page loads them once it is painted.
  await page.waitForFunction(() => performance.getEntriesByName('dialogs loaded').length > 0);
}

/**
 * Collects script errors and violations of the content security policy into an array. Failed requests are ignored: some
 * journeys provoke them, and the page must report them itself.
 */
export function collectPageErrors(page: Page): string[] {
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      pageErrors.push(message.text());
    }
  });
  return pageErrors;
}
