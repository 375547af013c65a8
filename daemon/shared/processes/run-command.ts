import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordLeader } from './leader-register.ts';
import { LineSplitter } from './line-splitter.ts';
import { killUntilGone, processesInGroup, processesWithEnvironment } from './processes.ts';
import { leaderExit, startLeader } from './start-leader.ts';

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
const SWEEP_MS = 2_000;
/** How long the pipes of a command that is over may take to close, before what holds them is looked for again. */
const CLOSE_MS = 100;
const SWEEPS = 4;
/** Every process of a command carries it, so that what leaves the group is found all the same. */
const COMMAND_TOKEN_VARIABLE = 'ROBOT_COMMAND_TOKEN';

/**
 * Runs a program to its end in a process group of its own, and leaves nothing of that group behind.
 * @returns the last lines of its output, at most 200
 * @throws CommandFailed, or the reason of `signal`
 */
export async function runCommand(file: string, args: readonly string[], options: CommandOptions): Promise<string[]> {
  options.signal?.throwIfAborted();
  const token = randomUUID();
  const child = start(file, args, options, token);
  const output = readLines(child.all, options);
  if (child.pid !== undefined) {
    const forget = recordLeader(child.pid, options.env);
    await leaderExit(child);
    await sweep(child, child.pid, token);
    forget();
  }
  const result = await child;
  const lines = output.end();
  options.signal?.throwIfAborted();
  if (result.failed) throw failureOf(file, result, options.deadlineMs, lines);
  return lines;
}

type Command = ReturnType<typeof start>;

/** At the deadline or a cancel its group gets SIGTERM, and SIGKILL after the grace. */
function start(file: string, args: readonly string[], options: CommandOptions, token: string) {
  return startLeader(file, args, {
    env: { ...options.env, ...options.moreEnv, [COMMAND_TOKEN_VARIABLE]: token },
    all: true,
    killDescendants: true,
    forceKillAfterDelay: TERM_GRACE_MS,
    timeout: options.deadlineMs,
    ...(options.signal && { cancelSignal: options.signal }),
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
}

/** Keeps the last lines, and passes each on. */
function readLines(output: Readable, { onLine, ...how }: CommandOptions): { end(): string[] } {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => {
    if (lines.push(line) > KEPT_LINES) lines.shift();
    onLine?.(line);
  }, how);
  output.on('data', (chunk: Buffer) => splitter.write(chunk));
  return {
    end: () => {
      splitter.end();
      return lines;
    },
  };
}

/**
 * Ends what outlived the leader, and waits until the pipes close. A process that was just becoming another program shows
 * no environment, so it is looked for again; one that cleared its own is let go, and the pipes are given up.
 */
async function sweep(child: Command, groupId: number, token: string): Promise<void> {
  const left = async () =>
    (await Promise.all([processesInGroup(groupId), processesWithEnvironment(COMMAND_TOKEN_VARIABLE, token)])).flat();
  const closed = child.then(() => true);
  for (let sweeps = 0; sweeps < SWEEPS; sweeps++) {
    await killUntilGone(left, SWEEP_MS);
    if (await Promise.race([closed, sleep(CLOSE_MS, false)])) return;
  }
  child.stdout.destroy();
  child.stderr.destroy();
}

function failureOf(file: string, result: Awaited<Command>, deadlineMs: number, lines: string[]): CommandFailed {
  const { timedOut, exitCode, shortMessage } = result;
  const name = file.split(/[\\/]/).at(-1) ?? file;
  if (timedOut) {
    return new CommandFailed(name, `did not end within ${Math.round(deadlineMs / 1000)} s`, null, true, lines);
  }
  const how = exitCode === undefined ? `could not be run: ${shortMessage}` : `ended with exit code ${exitCode}`;
  return new CommandFailed(name, how, exitCode ?? null, false, lines);
}
