import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { settlesWithin } from '../async/settles-within.ts';
import { systemClock } from '../clock.ts';
import { recordLeader } from './leader-register.ts';
import { LineSplitter } from './line-splitter.ts';
import { groupMemory } from './process-usage.ts';
import { killUntilGone, processesInGroup, processesWithEnvironment, signalGroup } from './processes.ts';
import { leaderExit, startLeader } from './start-leader.ts';

interface CommandLimits {
  /** How long it may print nothing, in ms. */
  readonly silentMs?: number;
  /** The memory of all its processes together, in bytes; see `groupMemory`. */
  readonly memoryBytes?: number;
  /** Whether it has used too much of anything else; polled every 200 ms. */
  readonly isTooMuch?: () => boolean;
}

export type ExceededLimit = 'silence' | 'memory' | 'amount';

const POLL_MS = 200;
/** PowerShell takes about a second to answer. */
const WINDOWS_POLL_MS = 2_000;

export interface CommandOptions {
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly moreEnv?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly deadlineMs: number;
  /** Ends the command and its descendants; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Limits besides the deadline; a command that exceeds one is killed. */
  readonly limits?: CommandLimits;
  /** Whether a carriage return ends a line too. */
  readonly carriageReturns?: boolean;
  /** Receives each line of output, both streams combined. */
  readonly onLine?: (line: string) => void;
}

/** A command that could not start, failed, or timed out. */
export class CommandFailed extends Error {
  readonly command: string;
  /** null: it did not start, or a signal ended it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly exceeded: ExceededLimit | null;
  /** The last lines of its output, at most 200. */
  readonly lines: readonly string[];

  constructor(
    command: string,
    how: string,
    exitCode: number | null,
    timedOut: boolean,
    lines: readonly string[],
    exceeded: ExceededLimit | null = null,
  ) {
    super(`${command} ${how}`);
    this.command = command;
    this.exitCode = exitCode;
    this.timedOut = timedOut;
    this.exceeded = exceeded;
    this.lines = lines;
  }
}

const KEPT_LINES = 200;
const TERM_GRACE_MS = 2_000;
const SWEEP_MS = 2_000;
/** How long the pipes of an ended command may take to close before the next sweep. */
const CLOSE_MS = 100;
const SWEEPS = 4;
/** Set for every process of a command, to find those that leave its group. */
const COMMAND_TOKEN_VARIABLE = 'ROBOT_COMMAND_TOKEN';

/**
 * Runs a program to its end in its own process group, then kills every process left of it.
 * @returns the last lines of its output, at most 200
 * @throws CommandFailed, or the reason of `signal`
 */
export async function runCommand(file: string, args: readonly string[], options: CommandOptions): Promise<string[]> {
  options.signal?.throwIfAborted();
  const token = randomUUID();
  const child = start(file, args, options, token);
  const output = readLines(child.all, options);
  let exceeded: ExceededLimit | null = null;
  if (child.pid !== undefined) {
    const forget = recordLeader(child.pid, options.env);
    const endWatch = options.limits && watchLimits(child, child.pid, options.limits);
    await leaderExit(child);
    exceeded = endWatch?.() ?? null;
    await sweep(child, child.pid, token);
    forget();
  }
  const result = await child;
  const lines = output.end();
  options.signal?.throwIfAborted();
  if (exceeded) throw new CommandFailed(nameOf(file), 'was ended', null, false, lines, exceeded);
  if (result.failed) throw failureOf(file, result, options.deadlineMs, lines);
  return lines;
}

type Command = ReturnType<typeof start>;

/** At the deadline or on cancel its group gets SIGTERM, then SIGKILL after the grace period. */
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

/**
 * Kills the group of a command at once when it exceeds a limit: memory may grow by hundreds of megabytes within a second.
 * @returns a function that ends the watch, and returns the limit that was exceeded
 */
function watchLimits(child: Command, pid: number, limits: CommandLimits): () => ExceededLimit | null {
  const { silentMs = Number.POSITIVE_INFINITY, memoryBytes, isTooMuch } = limits;
  let heardMs = systemClock.elapsedMs();
  child.all.on('data', () => {
    heardMs = systemClock.elapsedMs();
  });
  const find = async (): Promise<ExceededLimit | null> => {
    if (isTooMuch?.()) return 'amount';
    if (systemClock.elapsedMs() - heardMs > silentMs) return 'silence';
    if (memoryBytes === undefined) return null;
    // A poll that fails, for instance for want of memory, must not end the watch.
    const used = await groupMemory(pid).catch(() => null);
    return used !== null && used > memoryBytes ? 'memory' : null;
  };
  let exceeded: ExceededLimit | null = null;
  let isOver = false;
  const poll = async () => {
    const found = await find();
    if (isOver) return; // it has ended meanwhile
    if (found === null) cancelPoll = pollLater();
    else signalGroup(pid, 'SIGKILL');
    exceeded = found;
  };
  const pollLater = () =>
    systemClock.after(process.platform === 'win32' ? WINDOWS_POLL_MS : POLL_MS, () => void poll());
  let cancelPoll = pollLater();
  return () => {
    isOver = true;
    cancelPoll();
    return exceeded;
  };
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
 * Kills the processes that outlived the leader, and waits until the pipes close. A process in the middle of `exec` shows
 * no environment, so the search repeats. A process that cleared its environment is not found; its pipes are destroyed.
 */
async function sweep(child: Command, groupId: number, token: string): Promise<void> {
  const left = async () =>
    (await Promise.all([processesInGroup(groupId), processesWithEnvironment(COMMAND_TOKEN_VARIABLE, token)])).flat();
  for (let sweeps = 0; sweeps < SWEEPS; sweeps++) {
    await killUntilGone(left, SWEEP_MS);
    if (await settlesWithin(systemClock, CLOSE_MS, child)) return;
  }
  child.stdout.destroy();
  child.stderr.destroy();
}

function failureOf(file: string, result: Awaited<Command>, deadlineMs: number, lines: string[]): CommandFailed {
  const { timedOut, exitCode, shortMessage } = result;
  const name = nameOf(file);
  if (timedOut) {
    return new CommandFailed(name, `did not end within ${Math.round(deadlineMs / 1000)} s`, null, true, lines);
  }
  const how = exitCode === undefined ? `could not be run: ${shortMessage}` : `ended with exit code ${exitCode}`;
  return new CommandFailed(name, how, exitCode ?? null, false, lines);
}

const nameOf = (file: string) => file.split(/[\\/]/).at(-1) ?? file;
