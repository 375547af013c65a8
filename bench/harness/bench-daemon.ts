import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DaemonClient } from '../../daemon/client/calls.ts';
import { daemonAt } from '../../daemon/client/node/daemon-at.ts';
import { install } from '../../daemon/client/node/install.ts';
import { signalProcess } from '../../daemon/shared/processes/processes.ts';
import { startDaemonProcess } from '../../daemon/testing/daemon/daemon-process.ts';
import { newDataDir, projectDir, robotDaemonProgram } from '../../daemon/testing/daemon/test-daemon.ts';
import { registerCleanup } from './cleanup.ts';
import { NotMeasurable } from './figure.ts';

/** The time limit for a daemon to stop. */
const END_MS = 10_000;
const POLL_MS = 50;

/** The daemon in its own process, with the robot awake. */
export interface BenchDaemon extends DaemonClient, AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  /** Installs a folder and waits for the end of the job. @throws NotMeasurable without Python or network */
  install(folder: string): Promise<void>;
}

/** The command `robot-daemon` of a checkout. */
export const daemonProgramOf = (checkout: string): string => join(checkout, relative(projectDir, robotDaemonProgram));

/**
 * @param fill writes files into the data folder before the daemon starts
 * @param checkout whose build is started: this one, or another one
 */
export async function startBenchDaemon(
  options: readonly string[] = [],
  fill: (dataDir: string) => Promise<void> = async () => {},
  checkout: string = projectDir,
): Promise<BenchDaemon> {
  const dataDir = await newDataDir();
  const removal = registerCleanup(() => rm(dataDir, { recursive: true, force: true }));
  const starting = fill(dataDir).then(() => startDaemonProcess(dataDir, options, daemonProgramOf(checkout)));
  const daemon = await starting.catch(async (error: unknown) => {
    await removal[Symbol.asyncDispose]();
    throw error;
  });
  const ending = registerCleanup(async () => {
    const late = setTimeout(() => daemon.process.kill('SIGKILL'), END_MS);
    daemon.process.kill('SIGTERM');
    await daemon.exited;
    clearTimeout(late);
    for (const pid of await daemon.children()) signalProcess(pid, 'SIGKILL');
    await removal[Symbol.asyncDispose]();
  });
  const client = daemonAt(daemon.url, { deadlineMs: null });
  try {
    await robotAwake(client);
  } catch (error) {
    await ending[Symbol.asyncDispose]();
    throw error;
  }
  return {
    url: daemon.url,
    dataDir,
    call: client.call,
    install: async (folder) => {
      const { state, failure } = await install(client, folder);
      if (state === 'done') return;
      const { reason, message = 'It was cancelled.' } = failure ?? {};
      const lacking = reason === 'python-missing' || reason === 'network';
      throw new (lacking ? NotMeasurable : Error)(`The bench's app could not be installed: ${message}`);
    },
    ...ending,
  };
}

/** Waits until the robot of a daemon has woken up. */
export async function robotAwake(daemon: DaemonClient): Promise<void> {
  for (;;) {
    const { robot } = await daemon.call('getRobot');
    if (robot.state === 'awake' && robot.motion === null) return;
    await sleep(POLL_MS);
  }
}
