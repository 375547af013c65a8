import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import type { DaemonClient } from '../../daemon/client/calls.ts';
import { daemonAt } from '../../daemon/client/node/daemon-at.ts';
import { CHILD_MARK_VARIABLE, childMark } from '../../daemon/shared/processes/child-environment.ts';
import { listProcesses, processesWithEnvironment } from '../../daemon/shared/processes/processes.ts';
import { leaderExit } from '../../daemon/shared/processes/start-leader.ts';
import { NO_HUB } from '../../daemon/testing/daemon/test-daemon.ts';

/** The real daemon with its real guardian, in a process that a test may kill. */
export interface GuardedDaemon extends DaemonClient, AsyncDisposable {
  /** The process that hosts the daemon; it leads a process group. */
  readonly pid: number;
  /** Its output and that of its guardians. */
  readonly said: () => string;
  /** The guardians that were started so far, newest last. */
  readonly guardians: () => number[];
  readonly exited: Promise<readonly [number | null, NodeJS.Signals | null]>;
  /** Waits until no guardian of it runs any more. */
  readonly guardiansGone: () => Promise<void>;
  /** The live processes that a daemon on this data folder started. */
  children(): Promise<number[]>;
}

/** It runs the sources, and other tests run beside it. */
const COMES_UP_WITHIN_MS = 60_000;
const program = join(import.meta.dirname, 'guarded-main.ts');

/** @param robot options that choose the robot, `--sim` */
export async function startGuardedDaemon(dataDir: string, robot: readonly string[]): Promise<GuardedDaemon> {
  const options = ['--port', '0', '--data-dir', dataDir, '--hub', NO_HUB, ...robot];
  const main = execa(process.execPath, [program, ...options], {
    detached: true,
    stdin: 'ignore',
    buffer: false,
    reject: false,
    cleanup: false,
  });
  const exited = leaderExit(main);
  let said = '';
  for (const stream of [main.stdout, main.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk;
    });
  }
  const guardians = () => [...said.matchAll(/^guardian (\d+)$/gm)].map(([, pid]) => Number(pid));
  let hasEnded = false;
  void exited.then(() => {
    hasEnded = true;
  });
  const isUp = () => /^main is at /m.test(said) && said.includes('guardian: ready');
  const message = 'the daemon and its guardian come up';
  try {
    await expect.poll(() => hasEnded || isUp(), { message, timeout: COMES_UP_WITHIN_MS }).toBe(true);
  } catch (error) {
    main.kill('SIGKILL');
    throw error;
  }
  const url = /^main is at (\S+)\/$/m.exec(said)?.[1];
  if (url === undefined || main.pid === undefined) throw new Error(`The daemon did not come up: ${said}`);
  const guardiansGone = async () => {
    const alive = async () => (await listProcesses()).filter(({ pid }) => guardians().includes(pid));
    await expect.poll(alive, { message: 'guardians that still run', timeout: 60_000 }).toEqual([]);
  };
  const { pid } = main;
  return {
    pid,
    call: daemonAt(url).call,
    said: () => said,
    guardians,
    exited,
    guardiansGone,
    children: async () => processesWithEnvironment(CHILD_MARK_VARIABLE, await childMark(dataDir)),
    [Symbol.asyncDispose]: async () => {
      main.kill('SIGKILL');
      await exited;
      await guardiansGone();
    },
  };
}
