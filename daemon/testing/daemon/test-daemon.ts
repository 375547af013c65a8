import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DaemonClient } from '../../client/calls.ts';
import { daemonAt } from '../../client/node/daemon-at.ts';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { OutputPage } from '../../contract/apps/runs.ts';
import type { Job } from '../../contract/jobs.ts';
import type { RobotState } from '../../contract/robot/robot.ts';
import { createDaemon, type Daemon } from '../../create-daemon.ts';
import type { DaemonOptions, DaemonResources } from '../../daemon-options.ts';
import { CHILD_MARK_VARIABLE, childMark } from '../../shared/processes/child-environment.ts';
import { processesWithEnvironment } from '../../shared/processes/processes.ts';
import { ggufReader } from '../models/model-files-in.ts';
import { sharedFolder } from '../shared-folder.ts';
import { type RawRequests, rawRequests } from './raw-requests.ts';

export const projectDir = join(import.meta.dirname, '..', '..', '..');
/** The command robot-daemon, which runs the built daemon. */
export const robotDaemonProgram = join(projectDir, 'bin', 'robot-daemon.cjs');
/** The command robot-app-assistant, likewise. */
export const robotAppAssistantProgram = join(projectDir, 'bin', 'robot-app-assistant.cjs');
/** The folder of a test app. */
export const fixtureApp = (name: string) => join(projectDir, 'e2e', 'apps', name);
export const sampleApp = (name: string) => join(projectDir, 'assets', 'sample-apps', name);

/** The real daemon in this process, with its own data folder and port, called over real HTTP. */
export interface TestDaemon extends RawRequests, DaemonClient, AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  /** Installs from an address and waits for the end of the job. @param revision a branch, a tag or a commit */
  install(address: string, revision?: string): Promise<Job>;
  jobEnd(id: string): Promise<Job>;
  slot(): Promise<AppSlotState>;
  robot(): Promise<RobotState>;
  installed(): Promise<InstalledApp[]>;
  /** The texts of the app's output lines. */
  output(): Promise<string[]>;
  outputPage(): Promise<OutputPage>;
  /** The living processes that the daemon started. */
  children(): Promise<number[]>;
  /** Everything in the data folder that an install could leave behind. */
  traces(): Promise<string[]>;
  readonly watch: Daemon['watch'];
  newSignInUrl(): string;
  newSessionCookie(): { readonly name: string; readonly value: string };
  stop(): Promise<boolean>;
}

/** The longest wait between two requests for a job; each takes the daemon in this process some milliseconds. */
const POLL_MS = 100;

/** An address without a listener: no test calls a hub that it has not started. */
export const NO_HUB = 'http://127.0.0.1:9';

/** The tools for installing apps, shared by the tests' data folders: creating them takes seconds. */
export const SHARED_TOOLS = sharedFolder('tools');

/** Creates a data folder that shares the tools for installing apps, and their downloads, with those of other tests. */
export async function newDataDir(shared: readonly ('tools' | 'cache')[] = ['tools', 'cache']): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  for (const name of shared) {
    await mkdir(sharedFolder(name), { recursive: true });
    await symlink(sharedFolder(name), join(dataDir, name));
  }
  return dataDir;
}

/** The product's other files, in the source tree. */
export const testResources: DaemonResources = {
  assetsDir: join(projectDir, 'assets'),
  dashboardDir: join(projectDir, 'dist', 'renderer'),
  llamaRunner: join(projectDir, 'daemon', 'llama-runner', 'main.ts'),
  ggufReader,
};

export async function startTestDaemon(given: Partial<DaemonOptions> = {}): Promise<TestDaemon> {
  const dataDir = given.dataDir ?? (await newDataDir());
  const daemon = createDaemon({
    version: '0.0.0-test',
    resources: testResources,
    host: '127.0.0.1',
    port: 0,
    requireToken: false,
    behindProxy: null,
    python: null,
    installer: 'auto',
    installWithinMs: 5 * 60_000,
    hubUrl: NO_HUB,
    catalogFile: null,
    // Not the one on PATH: what this machine can run is the same everywhere.
    ...{ llamaServer: 'none', llamaServerUrl: null, llamaServerSha256: null },
    containerEngine: 'none',
    logLevel: 'error',
    robot: 'simulation',
    serialPort: null,
    startupApp: null,
    wakeUpOnStart: false, // a stop folds a robot that is awake, which takes two seconds
    ...given,
    dataDir,
  });
  await daemon.start();
  const { url } = daemon;
  const client = daemonAt(url, { deadlineMs: null, ...(daemon.accessToken !== null && { token: daemon.accessToken }) });
  const outputPage = () => client.call('getAppOutput');
  return {
    url,
    dataDir,
    ...rawRequests(url),
    call: client.call,
    jobEnd: (id) => jobEnd(client, id),
    install: async (url, revision) => {
      const { id } = await client.call('installApp', { body: { url, ...(revision && { revision }) } });
      return jobEnd(client, id);
    },
    slot: () => client.call('getAppSlot'),
    robot: async () => (await client.call('getRobot')).robot,
    installed: () => client.call('listApps'),
    outputPage,
    output: async () => (await outputPage()).lines.map(({ text }) => text),
    children: async () => processesWithEnvironment(CHILD_MARK_VARIABLE, await childMark(dataDir)),
    traces: () => tracesIn(dataDir),
    watch: (listener) => daemon.watch(listener),
    newSignInUrl: () => daemon.newSignInUrl(),
    newSessionCookie: () => daemon.newSessionCookie(),
    stop: () => daemon.stop(),
    [Symbol.asyncDispose]: async () => {
      await daemon.stop();
      if (!given.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function jobEnd(client: DaemonClient, jobId: string): Promise<Job> {
  for (let waitMs = 5; ; waitMs = Math.min(2 * waitMs, POLL_MS)) {
    const job = await client.call('getJob', { params: { jobId } });
    if (job.endedAt !== null) return job;
    await sleep(waitMs);
  }
}

/** Everything that an install creates: folders of apps, their environments, work in progress. */
export async function tracesIn(dataDir: string): Promise<string[]> {
  const list = (path: string) => readdir(join(dataDir, path)).catch(() => []);
  const apps = await list('apps');
  const envs = await Promise.all(
    apps.map(async (app) => (await list(`apps/${app}/envs`)).map((env) => `${app}/${env}`)),
  );
  return [...apps, ...envs.flat(), ...(await list('work'))].sort();
}
