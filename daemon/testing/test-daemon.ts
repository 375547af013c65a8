import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppSlotState } from '../contract/app-slot.ts';
import type { InstalledApp } from '../contract/apps.ts';
import type { Job } from '../contract/jobs.ts';
import type { RobotState } from '../contract/robot.ts';
import type { OutputPage } from '../contract/runs.ts';
import { createDaemon } from '../create-daemon.ts';
import type { DaemonOptions } from '../daemon-options.ts';
import { CHILD_MARK_VARIABLE, childMark } from '../shared/child-environment.ts';
import { processesWithEnvironment } from '../shared/processes.ts';

export const projectDir = join(import.meta.dirname, '..', '..');
/** The folder of a test's app. */
export const fixtureApp = (name: string) => join(projectDir, 'e2e', 'apps', name);
export const sampleApp = (name: string) => join(projectDir, 'assets', 'sample-apps', name);

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the daemon answered; tests compare it with what they expect
  readonly body: any;
}

/** The real daemon in this process, on a data folder and a port of its own, spoken to over real HTTP. */
export interface TestDaemon extends AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  get(path: string): Promise<Reply>;
  post(path: string, body?: unknown): Promise<Reply>;
  put(path: string, body: unknown): Promise<Reply>;
  delete(path: string): Promise<Reply>;
  /** Installs a folder and waits for the end of the job. */
  install(folder: string): Promise<Job>;
  jobEnd(id: string): Promise<Job>;
  slot(): Promise<AppSlotState>;
  robot(): Promise<RobotState>;
  installed(): Promise<InstalledApp[]>;
  /** The texts of the lines that the app has written. */
  output(): Promise<string[]>;
  outputPage(): Promise<OutputPage>;
  /** The live processes that the daemon started. */
  children(): Promise<number[]>;
  /** Everything in the data folder that an install could leave behind. */
  traces(): Promise<string[]>;
  newSignInUrl(): string;
  newSessionCookie(): { readonly name: string; readonly value: string };
  stop(): Promise<boolean>;
}

/** An address that nobody listens at: no test asks a hub that it has not started. */
export const NO_HUB = 'http://127.0.0.1:9';

/** Data folders of tests share the tools that install apps, which take seconds to make. */
export const SHARED_TOOLS = join(tmpdir(), `robot-desktop-test-tools-${process.getuid?.() ?? 0}`);

export async function newDataDir(options: { ownTools?: boolean } = {}): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  if (!options.ownTools) {
    await mkdir(SHARED_TOOLS, { recursive: true });
    await symlink(SHARED_TOOLS, join(dataDir, 'tools'));
  }
  return dataDir;
}

export async function startTestDaemon(
  options: Partial<DaemonOptions> & { ownTools?: boolean } = {},
): Promise<TestDaemon> {
  const { ownTools = false, ...given } = options;
  const dataDir = given.dataDir ?? (await newDataDir({ ownTools }));
  const daemon = createDaemon({
    version: '0.0.0-test',
    resources: { assetsDir: join(projectDir, 'assets'), dashboardDir: join(projectDir, 'dist', 'renderer') },
    host: '127.0.0.1',
    port: 0,
    python: null,
    installer: 'auto',
    installWithinMs: 5 * 60_000,
    hubUrl: NO_HUB,
    catalogFile: null,
    logLevel: 'error',
    robot: 'simulation',
    serialPort: null,
    startupApp: null,
    wakeUpOnStart: true,
    ...given,
    dataDir,
  });
  await daemon.start();
  const { url } = daemon;
  const call = async (path: string, init: RequestInit): Promise<Reply> => {
    const response = await fetch(url + path, init);
    return { status: response.status, body: await response.json() };
  };
  const get = (path: string) => call(path, {});
  const send = (method: string) => (path: string, body?: unknown) =>
    call(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
  const post = send('POST');
  const jobEnd = async (id: string): Promise<Job> => {
    const { body } = await get(`/api/jobs/${id}`);
    if (body.endedAt !== null) return body;
    await sleep(20);
    return jobEnd(id);
  };
  return {
    url,
    dataDir,
    get,
    post,
    put: send('PUT'),
    delete: send('DELETE'),
    jobEnd,
    install: async (folder) => jobEnd((await post('/api/apps/install', { url: folder })).body.id),
    slot: async () => (await get('/api/apps/slot')).body,
    robot: async () => (await get('/api/robot')).body.robot,
    installed: async () => (await get('/api/apps/list')).body,
    outputPage: async () => (await get('/api/apps/output')).body,
    output: async () => (await get('/api/apps/output')).body.lines.map((line: { text: string }) => line.text),
    children: async () => processesWithEnvironment(CHILD_MARK_VARIABLE, await childMark(dataDir)),
    traces: () => tracesIn(dataDir),
    newSignInUrl: () => daemon.newSignInUrl(),
    newSessionCookie: () => daemon.newSessionCookie(),
    stop: () => daemon.stop(),
    [Symbol.asyncDispose]: async () => {
      await daemon.stop();
      if (!given.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** What an install makes: folders of apps, their environments, work in progress. */
export async function tracesIn(dataDir: string): Promise<string[]> {
  const list = (path: string) => readdir(join(dataDir, path)).catch(() => []);
  const apps = await list('apps');
  const envs = await Promise.all(
    apps.map(async (app) => (await list(`apps/${app}/envs`)).map((env) => `${app}/${env}`)),
  );
  return [...apps, ...envs.flat(), ...(await list('work'))].sort();
}
