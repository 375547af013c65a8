/** Fixtures that start the desktop program in its own process, on Electron or the stand-in. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { _electron, type ElectronApplication, expect, type Page } from '@playwright/test';
import type { DaemonClient } from '../../daemon/client/calls.ts';
import { daemonAt } from '../../daemon/client/node/daemon-at.ts';
import { install } from '../../daemon/client/node/install.ts';
import type { AppSlotState } from '../../daemon/contract/apps/app-slot.ts';
import type { Job } from '../../daemon/contract/jobs.ts';
import { CHILD_MARK_VARIABLE, childMark } from '../../daemon/shared/processes/child-environment.ts';
import { processesWithEnvironment } from '../../daemon/shared/processes/processes.ts';
import { newDataDir, projectDir } from '../../daemon/testing/daemon/test-daemon.ts';
import { collectPageErrors } from '../fixtures.ts';
import { test as base } from '../own-page.ts';

export { expect };

export interface Desktop extends DaemonClient {
  readonly app: ElectronApplication;
  /** The dashboard. */
  readonly page: Page;
  readonly url: string;
  /** Installs a folder and waits for the end of the job. */
  install(folder: string): Promise<Job>;
  slot(): Promise<AppSlotState>;
  /** Settles with the exit code once the process is gone; null when a signal ended it. */
  readonly exited: Promise<number | null>;
}

interface Start {
  /** Added to the variables of the tests. */
  readonly env?: Record<string, string>;
  readonly options?: readonly string[];
  /** Arguments before the options: links, `--at-login`. */
  readonly words?: readonly string[];
  /** The settings of an earlier start; null: there was none. Default: closing the window quits, without a question. */
  readonly settings?: object | null;
}

/** Starts the program. @returns it, and its exit code once it is gone: null when a signal ended it */
export async function launchDesktop(
  dataDir: string,
  { env = {}, options = [], words = [], settings = { closing: 'quit' } }: Start = {},
): Promise<Pick<Desktop, 'app' | 'exited'>> {
  const profile = join(dataDir, 'window');
  await mkdir(profile, { recursive: true });
  if (settings) await writeFile(join(profile, 'desktop-settings.json'), JSON.stringify(settings));
  const app = await _electron.launch({
    args: [projectDir, ...words, '--', '--port', '0', '--data-dir', dataDir, ...options],
    cwd: projectDir,
    // By default Playwright switches the sandbox off, which is tested here.
    chromiumSandbox: true,
    env: { ...(process.env as Record<string, string>), ...env },
  });
  const { promise: exited, resolve } = Promise.withResolvers<number | null>();
  app.process().once('exit', (code) => resolve(code));
  return { app, exited };
}

/** Starts the program and waits for its dashboard. */
export async function startDesktop(dataDir: string, start: Start = {}): Promise<Desktop> {
  const { app, exited } = await launchDesktop(dataDir, start);
  const page = await app.firstWindow();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const url = new URL(page.url()).origin;
  const daemon = daemonAt(url, { deadlineMs: null });
  return {
    app,
    page,
    url,
    call: daemon.call,
    install: (folder) => install(daemon, folder, { withinMs: 60_000 }),
    slot: () => daemon.call('getAppSlot'),
    exited,
  };
}

/** The live processes that a daemon on this data folder started. */
export async function childrenOf(dataDir: string): Promise<number[]> {
  return processesWithEnvironment(CHILD_MARK_VARIABLE, await childMark(dataDir));
}

interface Fixtures {
  readonly dataDir: string;
  /** A desktop for one test, which may quit it. */
  readonly desktop: Desktop;
}
interface WorkerFixtures {
  /** One desktop for the tests that change nothing. */
  readonly sharedDesktop: Desktop;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  dataDir: async ({}, use) => withDataDir(use),
  desktop: async ({ dataDir }, use) => withDesktop(dataDir, use),
  sharedDesktop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
    async ({}, use) => withDataDir((dataDir) => withDesktop(dataDir, use)),
    { scope: 'worker' },
  ],
});

async function withDataDir(use: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await newDataDir();
  await use(dataDir);
  expect(await childrenOf(dataDir), 'processes left by the daemon').toEqual([]);
  await rm(dataDir, { recursive: true, force: true });
}

async function withDesktop(dataDir: string, use: (desktop: Desktop) => Promise<void>): Promise<void> {
  const desktop = await startDesktop(dataDir);
  const pageErrors = collectPageErrors(desktop.page);
  await use(desktop);
  expect(pageErrors, 'errors in the window').toEqual([]);
  await desktop.app.close();
  await desktop.exited;
}
