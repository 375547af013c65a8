import { execa } from 'execa';
import { robotAppAssistantProgram, robotDaemonProgram } from './test-daemon.ts';

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

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the command `robot-daemon` in its own process. */
export function startCli(...args: string[]): CliProcess {
  return started([robotDaemonProgram, ...args]);
}

/** Starts the command `robot-app-assistant` in its own process. */
export function startAssistant(args: readonly string[], options: CliOptions = {}): CliProcess {
  return started([robotAppAssistantProgram, ...args], options);
}

function started(args: readonly string[], options: CliOptions = {}): CliProcess {
  const child = start(args, options);
  const ended = child.then(({ exitCode, all, stdout }) => ({ code: exitCode ?? null, text: all, out: stdout }));
  return { process: child, ended };
}

function start(args: readonly string[], more: CliOptions) {
  const options = { all: true, reject: false, stripFinalNewline: false, forceKillAfterDelay: false } as const;
  return execa(process.execPath, args, { ...options, ...more });
}

export async function runCli(...args: string[]): Promise<CliRun> {
  return startCli(...args).ended;
}

export async function runAssistant(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  return startAssistant(args, options).ended;
}
