import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { CHILD_MARK_VARIABLE, childMark } from '../shared/child-environment.ts';
import { processesWithEnvironment } from '../shared/processes.ts';
import { NO_HUB, robotDaemonProgram } from './test-daemon.ts';

/** The real daemon in a process of its own, as `robot-daemon` starts it; for tests that end it in unfriendly ways. */
export interface DaemonProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** Settles with the exit code once the process is gone; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** The live processes that a daemon on this data folder started. */
  children(): Promise<number[]>;
  kill(): Promise<void>;
}

/** What makes the robot another one than the simulated. */
const robotOptions = ['--emulator', '--auto', '--serial-port'];

/** On the simulated robot, unless the options say otherwise. @throws Error with what it wrote when it does not come up */
export async function startDaemonProcess(dataDir: string, more: readonly string[] = []): Promise<DaemonProcess> {
  const robot = more.some((option) => robotOptions.includes(option)) ? [] : ['--sim'];
  const hub = more.includes('--hub') ? [] : ['--hub', NO_HUB];
  const args = [robotDaemonProgram, ...robot, ...hub, '--port', '0', '--data-dir', dataDir, ...more];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors = (errors + chunk).slice(-10_000);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = / is at (http:\S+)\/$/.exec(line)?.[1];
    if (!url) continue;
    child.stdout.resume();
    return {
      url,
      process: child,
      exited,
      children: async () => processesWithEnvironment(CHILD_MARK_VARIABLE, await childMark(dataDir)),
      kill: async () => {
        child.kill('SIGKILL');
        await exited;
      },
    };
  }
  throw new Error(`The daemon did not come up (${await exited}): ${errors}`);
}
