import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordLeader } from './leader-register.ts';
import { LineSplitter } from './line-splitter.ts';
import { killUntilGone, processesInGroup, processesWithEnvironment, signalGroup } from './processes.ts';

export interface CommandOptions {
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Added to `env`. */
  readonly moreEnv?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly deadlineMs: number;
  /** Ends the command and all it started; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Whether a carriage return ends a line too. */
  readonly carriageReturns?: boolean;
  /** Each line of its output, both streams together. */
  readonly onLine?: (line: string) => void;
}

/** A command that could not be run, ended badly, or took too long. */
export class CommandFailed extends Error {
  readonly command: string;
  /** null: it never ran, or a signal ended it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** The last lines that it wrote, at most 200. */
  readonly lines: readonly string[];

  constructor(command: string, how: string, exitCode: number | null, timedOut: boolean, lines: readonly string[]) {
    super(`${command} ${how}`);
    this.command = command;
    this.exitCode = exitCode;
    this.timedOut = timedOut;
    this.lines = lines;
  }
}

const KEPT_LINES = 200;
const TERM_GRACE_MS = 2_000;
/** Every process of a command carries it, so that what leaves the group is found all the same. */
const COMMAND_TOKEN_VARIABLE = 'ROBOT_COMMAND_TOKEN';

/**
 * Runs a program to its end in a process group of its own, and leaves nothing of that group behind.
 * @returns the last lines of its output, at most 200
 * @throws CommandFailed, or the reason of `signal`
 */
export async function runCommand(file: string, args: readonly string[], options: CommandOptions): Promise<string[]> {
  const { signal, deadlineMs } = options;
  const token = randomUUID();
  signal?.throwIfAborted();
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => {
    if (lines.push(line) > KEPT_LINES) lines.shift();
    options.onLine?.(line);
  }, options);
  // Loaded at the first command: at the start of the daemon it would cost every start its 60 modules.
  const { execa } = await import('execa');
  const child = execa(file, args, {
    env: { ...options.env, ...options.moreEnv, [COMMAND_TOKEN_VARIABLE]: token },
    extendEnv: false,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdin: 'ignore',
    all: true,
    buffer: false,
    reject: false,
    detached: true,
    cleanup: false,
  });
  child.all.on('data', (chunk: Buffer) => splitter.write(chunk));
  // Not the promise alone: it waits for the pipes too, which a child that outlives its parent holds open for ever.
  // Not the event alone: a program that cannot even be spawned has none.
  const exited = Promise.race([
    new Promise<void>((resolve) => child.nodeChildProcess.once('exit', () => resolve())),
    child.then(() => {}),
  ]);
  const pid = child.pid;
  const forget = pid === undefined ? () => {} : recordLeader(pid, options.env);

  const deadline = AbortSignal.timeout(deadlineMs);
  const ending = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const end = () => {
    if (pid === undefined) return;
    signalGroup(pid, 'SIGTERM');
    const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), TERM_GRACE_MS);
    void exited.then(() => clearTimeout(timer));
  };
  // It may have been aborted while execa was being loaded.
  if (ending.aborted) end();
  else ending.addEventListener('abort', end, { once: true });

  await exited;
  ending.removeEventListener('abort', end);
  const left = async (group: number) =>
    (await Promise.all([processesInGroup(group), processesWithEnvironment(COMMAND_TOKEN_VARIABLE, token)])).flat();
  if (pid !== undefined) await killUntilGone(() => left(pid), 2_000);
  // The pipes close when nothing has them. A process that was just becoming another program shows no environment,
  // so it is looked for again; one that cleared its own is let go, and the pipes are given up.
  const closed = child.then(() => true);
  for (let tries = 0; pid !== undefined && !(await Promise.race([closed, sleep(100, false)])); tries++) {
    if (tries < 3) await killUntilGone(() => left(pid), 2_000);
    else for (const pipe of [child.nodeChildProcess.stdout, child.nodeChildProcess.stderr]) pipe?.destroy();
  }
  const result = await child;
  forget();
  splitter.end();

  signal?.throwIfAborted();
  const name = file.split(/[\\/]/).at(-1) ?? file;
  if (deadline.aborted) {
    throw new CommandFailed(name, `did not end within ${Math.round(deadlineMs / 1000)} s`, null, true, lines);
  }
  if (result.failed) {
    const how =
      result.exitCode === undefined
        ? `could not be run: ${result.shortMessage}`
        : `ended with exit code ${result.exitCode}`;
    throw new CommandFailed(name, how, result.exitCode ?? null, false, lines);
  }
  return lines;
}
