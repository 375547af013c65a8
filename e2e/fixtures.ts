/** What every journey starts from: the real daemon in a process of its own, and a page that reports what goes wrong. */
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { DaemonClient } from '../daemon/client/calls.ts';
import { daemonAt } from '../daemon/client/node/daemon-at.ts';
import { install } from '../daemon/client/node/install.ts';
import type { Job } from '../daemon/contract/jobs.ts';
import { type DaemonProcess, startDaemonProcess } from '../daemon/testing/daemon/daemon-process.ts';
import { fixtureApp, newDataDir, sampleApp, tracesIn } from '../daemon/testing/daemon/test-daemon.ts';
import { test as base } from './own-page.ts';

export { expect, fixtureApp, sampleApp };

/** The card of an app, by its name. */
export const card = (page: Page, name: string): Locator => page.getByRole('article', { name, exact: true });
/** The bar that never leaves. */
export const statusBar = (page: Page): Locator => page.getByRole('contentinfo');

/** The daemon of a file's tests. Playwright starts a new one for a file whose options differ. */
export interface DaemonUse {
  /** Whose daemon it is: files with different names never share one. */
  readonly of: string;
  /** Beyond `--sim --port 0 --data-dir …`. */
  readonly args?: readonly string[];
  /** Folders of apps that are installed from the start. */
  readonly apps?: readonly string[];
}

/** How long a daemon may take to end after SIGINT. */
const END_MS = 10_000;

/** The real daemon on a data folder and a port of its own; both outlive a restart. */
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
  readonly start = (appName: string) => this.call('startApp', { params: { appName } });
  /** Everything in the data folder that an install could leave behind. */
  readonly traces = () => tracesIn(this.dataDir);
  /** The live processes that the daemon started. */
  readonly children = () => this.#process.children();

  /** Installs a folder and waits for the end of the job. */
  install(folder: string): Promise<Job> {
    return install(this, folder, { withinMs: 30_000 });
  }

  /** Installs those of the folders that are not installed yet; each is named like its app. */
  async have(...folders: readonly string[]): Promise<void> {
    const names = (await this.installed()).map(({ name }) => name);
    for (const folder of folders.filter((path) => !names.includes(basename(path)))) {
      expect(await this.install(folder)).toMatchObject({ state: 'done', failure: null });
    }
  }

  /** Ends whatever app runs, at once. */
  async freeSlot(): Promise<void> {
    if ((await this.slot()).state !== 'free') {
      await this.call('stopCurrentApp', { query: { force: true } }).catch(() => {});
    }
    await expect.poll(async () => (await this.slot()).state).toBe('free');
  }

  /** SIGKILL, as when the machine's memory runs out. */
  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** A new process on the same folder and the same port. */
  async startAgain(): Promise<void> {
    this.#process = await startDaemonProcess(this.dataDir, [...this.#args, '--port', new URL(this.url).port]);
  }

  /** Ends it as Ctrl-C does. It must end by itself, with nothing of it left. */
  async end(): Promise<void> {
    const { process, exited } = this.#process;
    const late = setTimeout(() => process.kill('SIGKILL'), END_MS);
    process.kill('SIGINT');
    const code = await exited;
    clearTimeout(late);
    const left = await this.children();
    await rm(this.dataDir, { recursive: true, force: true });
    expect({ code, left }, 'the daemon ends in order and leaves nothing').toEqual({ code: 0, left: [] });
  }
}

export interface TestFixtures {
  /** Opens the dashboard at a page, `#/apps`, and waits until it knows the daemon. */
  readonly open: (hash?: string) => Promise<void>;
}
export interface WorkerFixtures {
  readonly daemonUse: DaemonUse;
  readonly daemon: Daemon;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  daemonUse: [{ of: '' }, { option: true, scope: 'worker' }],
  daemon: [
    async ({ daemonUse: { args, apps = [] } }, use) => {
      const daemon = await Daemon.start(args);
      try {
        await daemon.have(...apps);
        await use(daemon);
      } finally {
        await daemon.end();
      }
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  page: async ({ page }, use) => {
    const complaints = complaintsOf(page);
    await use(page);
    expect(complaints, 'what the browser complained about').toEqual([]);
  },
  open: async ({ page, daemon }, use) => {
    await use((hash = '') => openDashboard(page, daemon, hash));
  },
});

export async function openDashboard(page: Page, daemon: Daemon, hash = ''): Promise<void> {
  await page.goto(`${daemon.url}/${hash}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/**
 * Errors of scripts and what the content security policy stopped, as they come. A request that failed or was refused is
 * part of some journeys, where the page must say so itself.
 */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  });
  return complaints;
}
