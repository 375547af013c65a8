import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { robotDaemonProgram } from './test-daemon.ts';

export interface CliRun {
  readonly code: number | null;
  /** Standard output and standard error together. */
  readonly text: string;
  /** Standard output. */
  readonly out: string;
}

export interface CliProcess {
  readonly process: ChildProcess;
  readonly ended: Promise<CliRun>;
}

/** The command `robot-daemon` in a process of its own. */
export function startCli(...args: string[]): CliProcess {
  const child = spawn(process.execPath, [robotDaemonProgram, ...args]);
  let [text, out] = ['', ''];
  child.stdout.on('data', (chunk) => {
    text += chunk;
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  return { process: child, ended: once(child, 'close').then(([code]) => ({ code, text, out })) };
}

export async function runCli(...args: string[]): Promise<CliRun> {
  return startCli(...args).ended;
}
