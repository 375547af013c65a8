import type { Readable } from 'node:stream';
import type { AppProcessInfo } from '../../../contract/apps/runs.ts';
import { settlesWithin } from '../../../shared/async/settles-within.ts';
import { type Clock, sleepOn } from '../../../shared/clock.ts';
import { recordLeader } from '../../../shared/processes/leader-register.ts';
import { LineSplitter, type OnLine } from '../../../shared/processes/line-splitter.ts';
import { OomKillWatch } from '../../../shared/processes/oom-kills.ts';
import {
  killUntilGone,
  processesInGroup,
  processesWithEnvironment,
  signalGroup,
  signalProcess,
} from '../../../shared/processes/processes.ts';
import { leaderExit, requireStarted, startLeader } from '../../../shared/processes/start-leader.ts';
import type { Mask } from './run-mask.ts';
import { commandText, describeProcesses } from './run-processes.ts';
import type { StopTimeouts } from './stop-timeouts.ts';

/** An environment variable that every process of a run inherits. */
export const RUN_TOKEN_VARIABLE = 'ROBOT_RUN_TOKEN';

export interface AppExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether the kernel killed a program for want of memory shortly before it ended. */
  readonly isOutOfMemory: boolean;
  /** Whether the leader had to be killed because it did not end by itself. */
  readonly killed: boolean;
  /** Processes that outlived the leader and were killed. */
  readonly leftovers: number;
  /** The processes that were killed: the leader with its group, and leftovers. */
  readonly killedProcesses: readonly AppProcessInfo[];
}

export interface AppProcessOptions {
  readonly clock: Clock;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; must hold RUN_TOKEN_VARIABLE. */
  readonly env: Readonly<Record<string, string>>;
  readonly onLine: (stream: 'stdout' | 'stderr', ...line: Parameters<OnLine>) => void;
  /** Masks secrets in command lines. */
  readonly mask: Mask;
  readonly oomKills?: OomKillWatch;
}

/** Time for children to end by themselves after their parent. */
const SETTLE_MS = 250;
/** Time for the last output to arrive after the process is gone. */
const DRAIN_MS = 300;
const SWEEP_MS = 3_000;
const OOM_LOOK_MS = 10_000;
/** Time that a kill waits for the command lines of the processes to kill. */
const DESCRIBE_MS = 500;

/** The processes of a run: a leader in its own process group, and its descendants. */
export class AppProcess {
  readonly pid: number;
  /** The names of the environment variables that it got with a value. */
  readonly variablesSet: readonly string[];
  /** Settles once no process of the run is left and its output is complete. Never rejects. */
  readonly exited: Promise<AppExit>;
  readonly #leaderExited: Promise<readonly [number | null, NodeJS.Signals | null]>;
  readonly #clock: Clock;
  readonly #token: string;
  readonly #command: string;
  readonly #mask: Mask;
  readonly #oomKills: OomKillWatch;
  readonly #killedProcesses = new Map<number, AppProcessInfo>();
  #leaderGone = false;
  #killed = false;
  #killAt = Number.POSITIVE_INFINITY;
  #wakeEscalation: () => void = () => {};
  #escalating = false;

  /** @throws Error when the program cannot be started at all */
  static async start(options: AppProcessOptions): Promise<AppProcess> {
    const { file, args, cwd, env } = options;
    const child = startLeader(file, args, { cwd, env });
    await requireStarted(child);
    return new AppProcess(child, options);
  }

  private constructor(child: ReturnType<typeof startLeader>, options: AppProcessOptions) {
    this.pid = child.pid as number;
    this.#clock = options.clock;
    this.#token = options.env[RUN_TOKEN_VARIABLE] as string;
    this.#mask = options.mask;
    this.#oomKills = options.oomKills ?? new OomKillWatch();
    const endLooks = options.clock.every(OOM_LOOK_MS, () => this.#oomKills.look());
    this.variablesSet = Object.keys(options.env).filter((name) => options.env[name] !== '');
    this.#command = commandText([options.file, ...options.args], options.mask);
    const forget = recordLeader(this.pid, options.env);
    const outputs = [pipeLines(child.stdout, 'stdout', options), pipeLines(child.stderr, 'stderr', options)];
    this.#leaderExited = leaderExit(child).finally(() => {
      this.#leaderGone = true;
      endLooks();
      this.#wakeEscalation();
    });
    this.exited = this.#finish(outputs).finally(() => {
      // A process that survived even SIGKILL must not write into the output of the next run.
      child.stdout.destroy();
      child.stderr.destroy();
      forget();
    });
  }

  /**
   * Sends SIGINT and escalates until the leader is gone. A second call can only bring the kill forward.
   * Await `exited` for the end.
   */
  stop(timeouts: StopTimeouts): void {
    this.#killAt = Math.min(this.#killAt, this.#clock.elapsedMs() + timeouts.killMs);
    this.#wakeEscalation();
    if (this.#escalating) return;
    this.#escalating = true;
    void this.#escalate(this.#clock.elapsedMs() + timeouts.interruptGroupMs).catch(() => this.#kill());
  }

  /** The live processes of the run, also those outside its group; on Windows only its leader. */
  async alive(): Promise<AppProcessInfo[]> {
    if (process.platform !== 'win32') return describeProcesses(await this.#pids(), this.#mask);
    return this.#leaderGone ? [] : [{ pid: this.pid, command: this.#command }];
  }

  /** Whether a test holds for the leader, or else for all processes of the run. */
  async some(test: (pids: readonly number[]) => Promise<boolean>): Promise<boolean> {
    return (await test([this.pid])) || test(await this.#pids()); // the leader alone is found sooner
  }

  async #pids(): Promise<number[]> {
    const [group, carriers] = await Promise.all([
      processesInGroup(this.pid),
      processesWithEnvironment(RUN_TOKEN_VARIABLE, this.#token),
    ]);
    return [...new Set([...group, ...carriers])];
  }

  async #escalate(interruptGroupAt: number): Promise<void> {
    // Windows has no SIGINT for a child: it would end at once an app that the SDK's stop message lets finish.
    const interruptible = process.platform !== 'win32';
    if (interruptible && !this.#leaderGone && this.#clock.elapsedMs() < this.#killAt) signalProcess(this.pid, 'SIGINT');
    await this.#until(() => interruptGroupAt);
    if (!this.#leaderGone && this.#clock.elapsedMs() < this.#killAt) {
      // Not the leader again: a second SIGINT would interrupt its clean-up.
      for (const pid of await processesInGroup(this.pid)) if (pid !== this.pid) signalProcess(pid, 'SIGINT');
    }
    await this.#until(() => this.#killAt);
    await this.#kill();
  }

  async #kill(): Promise<void> {
    const group: AppProcessInfo[] = [{ pid: this.pid, command: this.#command }];
    const described = processesInGroup(this.pid).then(async (pids) => {
      group.push(...(await describeProcesses(pids, this.#mask)));
    });
    await settlesWithin(this.#clock, DESCRIBE_MS, described).catch(() => {}); // kill it even if it cannot be described
    if (this.#leaderGone) return;
    this.#killed = true;
    this.#recordKilled(group);
    signalGroup(this.pid, 'SIGKILL');
  }

  #recordKilled(killed: readonly AppProcessInfo[]): void {
    for (const info of killed) this.#killedProcesses.set(info.pid, info);
  }

  /** Waits for a moment, which a later stop may bring forward, or for the end of the leader. */
  async #until(moment: () => number): Promise<void> {
    for (;;) {
      const leftMs = Math.min(moment(), this.#killAt) - this.#clock.elapsedMs();
      if (this.#leaderGone || leftMs <= 0) return;
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(leftMs, resolve);
        this.#wakeEscalation = () => {
          cancel();
          resolve();
        };
      });
    }
  }

  async #settle(): Promise<boolean> {
    const end = Math.min(this.#clock.elapsedMs() + SETTLE_MS, this.#killAt);
    while (this.#clock.elapsedMs() < end) {
      if ((await this.#pids()).length === 0) return true;
      await sleepOn(this.#clock, 20);
    }
    return false;
  }

  async #finish(outputs: Promise<void>[]): Promise<AppExit> {
    const [code, signal] = await this.#leaderExited;
    const settled = await this.#settle();
    const { killed } = settled ? { killed: [] } : await killUntilGone(() => this.#findLeftovers(), SWEEP_MS);
    await settlesWithin(this.#clock, DRAIN_MS, Promise.all(outputs));
    return {
      code,
      signal,
      isOutOfMemory: await this.#oomKills.isNew(),
      killed: this.#killed,
      leftovers: killed.length,
      killedProcesses: [...this.#killedProcesses.values()],
    };
  }

  /** Records the command lines of the leftovers before they are killed. */
  async #findLeftovers(): Promise<number[]> {
    const pids = await this.#pids();
    const isNew = (pid: number) => !this.#killedProcesses.has(pid);
    this.#recordKilled(await describeProcesses(pids.filter(isNew), this.#mask));
    return pids;
  }
}

async function pipeLines(pipe: Readable, stream: 'stdout' | 'stderr', options: AppProcessOptions): Promise<void> {
  const splitter = new LineSplitter((text, truncated) => options.onLine(stream, text, truncated));
  pipe.on('data', (chunk: Buffer) => splitter.write(chunk));
  pipe.on('error', () => {}); // the writer of the pipe was killed
  await new Promise((resolve) => pipe.once('close', resolve)); // events.once would reject on that error
  splitter.end();
}
