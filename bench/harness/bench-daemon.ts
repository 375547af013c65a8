import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '../../daemon/contract/jobs.ts';
import type { RobotState } from '../../daemon/contract/robot.ts';
import { signalProcess } from '../../daemon/shared/processes.ts';
import { startDaemonProcess } from '../../daemon/testing/daemon-process.ts';
import { newDataDir } from '../../daemon/testing/test-daemon.ts';
import { NotMeasurable } from './figure.ts';
import { undoable } from './undo.ts';

/** How long a daemon may take to end in order. */
const END_MS = 10_000;
const POLL_MS = 50;

/** The daemon in a process of its own, its robot awake. */
export interface BenchDaemon extends AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  post<T>(path: string, body?: unknown): Promise<T>;
  delete<T>(path: string): Promise<T>;
  /** Installs a folder and waits for the end of the job. @throws NotMeasurable when this machine lacks what it takes */
  install(folder: string): Promise<void>;
}

/** @param fill puts into its data folder what it is to find there */
export async function startBenchDaemon(
  options: readonly string[] = [],
  fill: (dataDir: string) => Promise<void> = async () => {},
): Promise<BenchDaemon> {
  const dataDir = await newDataDir();
  const removal = undoable(() => rm(dataDir, { recursive: true, force: true }));
  const starting = fill(dataDir).then(() => startDaemonProcess(dataDir, options));
  const daemon = await starting.catch(async (error: unknown) => {
    await removal[Symbol.asyncDispose]();
    throw error;
  });
  const ending = undoable(async () => {
    const late = setTimeout(() => daemon.process.kill('SIGKILL'), END_MS);
    daemon.process.kill('SIGTERM');
    await daemon.exited;
    clearTimeout(late);
    for (const pid of await daemon.children()) signalProcess(pid, 'SIGKILL');
    await removal[Symbol.asyncDispose]();
  });
  const call = async <T>(path: string, init: RequestInit): Promise<T> => {
    const response = await fetch(daemon.url + path, init);
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const get = <T>(path: string) => call<T>(path, {});
  const post = <T>(path: string, body?: unknown) =>
    call<T>(path, {
      method: 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
  try {
    await robotAwake(daemon.url);
  } catch (error) {
    await ending[Symbol.asyncDispose]();
    throw error;
  }
  return {
    url: daemon.url,
    dataDir,
    post,
    delete: (path) => call(path, { method: 'DELETE' }),
    install: async (folder) => {
      let job = await post<Job>('/api/apps/install', { url: folder });
      while (job.endedAt === null) {
        await sleep(POLL_MS);
        job = await get<Job>(`/api/jobs/${job.id}`);
      }
      if (job.state === 'done') return;
      const { reason, message = 'It was cancelled.' } = job.failure ?? {};
      const lacking = reason === 'python-missing' || reason === 'network';
      throw new (lacking ? NotMeasurable : Error)(`The bench's app could not be installed: ${message}`);
    },
    ...ending,
  };
}

/** Waits until the robot of a daemon has woken up. */
export async function robotAwake(daemonUrl: string): Promise<void> {
  for (;;) {
    const { robot } = (await (await fetch(`${daemonUrl}/api/robot`)).json()) as { robot: RobotState };
    if (robot.state === 'awake' && robot.motion === null) return;
    await sleep(POLL_MS);
  }
}
