import { execa } from 'execa';
import { robotDaemonProgram } from './test-daemon.ts';

export interface CliRun {
  readonly code: number | null;
  /** Standard output and standard error together. */
  readonly text: string;
  /** Standard output. */
  readonly out: string;
}

export interface CliProcess {
  readonly process: ReturnType<typeof start>;
  readonly ended: Promise<CliRun>;
}

/** Starts the command `robot-daemon` in its own process. */
export function startCli(...args: string[]): CliProcess {
  const child = start([robotDaemonProgram, ...args]);
  const ended = child.then(({ exitCode, all, stdout }) => ({ code: exitCode ?? null, text: all, out: stdout }));
  return { process: child, ended };
}

function start(args: readonly string[]) {
  const options = { all: true, reject: false, stripFinalNewline: false, forceKillAfterDelay: false } as const;
  return execa(process.execPath, args, options);
}

export async function runCli(...args: string[]): Promise<CliRun> {
  return startCli(...args).ended;
}
