import { rm } from 'node:fs/promises';
import { setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import type { CardUse } from '../../contract/compute/graphics-cards.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { settlesWithin } from '../../shared/async/settles-within.ts';
import type { Clock } from '../../shared/clock.ts';
import { recordLeader } from '../../shared/processes/leader-register.ts';
import { OomKillWatch } from '../../shared/processes/oom-kills.ts';
import { processorSeconds, residentBytes } from '../../shared/processes/process-usage.ts';
import { killUntilGone, processesInGroup, signalGroup, signalProcess } from '../../shared/processes/processes.ts';
import { exitFailure, type ProcessExit } from '../failures/exit-cause.ts';
import type { Replica } from './endpoint-runtime.ts';
import { healthStatus } from './replica-connection.ts';
import { type OnReplicaLine, ReplicaLog } from './replica-log.ts';

/** The health route of both runtimes. */
const HEALTH_ROUTE = '/health';
/** Below the robot's own programs, above nothing but idle ones. */
const LOW_PRIORITY = 10;
/** llama-server finishes its answers first. Nobody reads them any more, and it has nothing to save. */
const TERM_GRACE_MS = 3_000;
const KILL_MS = 5_000;
/** The time that the pipes of an ended process may take to close. */
const PIPES_MS = 500;

/** A program that was just started; the leader of a process group where the system has groups. */
interface StartedProgram {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it has ended. Never rejects. */
  readonly exited: Promise<ProcessExit>;
}

/** A replica that is a child process of the daemon. */
export class ReplicaProcess implements Replica {
  readonly pid: number;
  readonly container = null;
  readonly containerPort = null;
  readonly address: { readonly socketPath: string };
  readonly healthRoute = HEALTH_ROUTE;
  readonly preparesModel = false;
  readonly countsFiles = false;
  readonly ended: Promise<void>;
  readonly exited: Promise<EndpointFailure>;
  readonly #clock: Clock;
  readonly #log: ReplicaLog;
  readonly #graceMs: number;
  readonly #oomKills: OomKillWatch;
  readonly #usesCard: boolean;
  #hasEnded = false;
  #stopping: Promise<void> | null = null;

  /**
   * Takes over a program: lowers its priority, records it as a leader, reads its output.
   * @param env the environment that it was started with; it has the daemon's mark
   * @param graceMs the time between SIGTERM and SIGKILL
   */
  constructor(
    program: StartedProgram,
    options: {
      readonly clock: Clock;
      readonly socketPath: string;
      readonly env: Readonly<Record<string, string>>;
      readonly notes?: readonly string[];
      readonly graceMs?: number;
      readonly onLine: OnReplicaLine;
      readonly oomKills?: OomKillWatch;
      /** Whether it has a place on a graphics card: then its driver may be what ends it. */
      readonly usesCard?: boolean;
    },
  ) {
    const { clock, socketPath, env, notes = [], graceMs = TERM_GRACE_MS, onLine } = options;
    this.pid = program.pid;
    this.address = { socketPath };
    this.#clock = clock;
    this.#graceMs = graceMs;
    this.#oomKills = options.oomKills ?? new OomKillWatch();
    this.#usesCard = options.usesCard ?? false;
    this.#log = new ReplicaLog(onLine);
    for (const note of notes) this.#log.add(note);
    lowerPriority(program.pid);
    this.exited = this.#end(program, recordLeader(program.pid, env));
    this.ended = this.exited.then(() => {});
  }

  get log(): readonly string[] {
    return this.#log.lines;
  }

  get cardUse(): CardUse | null {
    return this.#log.cardUse;
  }

  async isHealthy(withinMs: number): Promise<boolean> {
    if (this.#hasEnded) return false;
    const isWell = (await healthStatus(this.#clock, this.address, this.healthRoute, withinMs)) === 200;
    if (isWell) this.#oomKills.look(); // one that the kernel ends no longer answers, and may take long to be gone
    return isWell;
  }

  async memoryBytes(): Promise<number | null> {
    return residentBytes(await this.#processes());
  }

  async cpuSeconds(): Promise<number | null> {
    return processorSeconds(await this.#processes());
  }

  /** A second call joins the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    if (!this.#hasEnded) {
      // Each process once: a second SIGTERM makes llama-server end without cleaning up.
      if (process.platform === 'win32') signalGroup(this.pid, 'SIGTERM');
      else for (const pid of await this.#processes()) signalProcess(pid, 'SIGTERM');
      await settlesWithin(this.#clock, this.#graceMs, this.exited);
    }
    await this.#kill();
    // A process that waits in the kernel for a driver does not even end by SIGKILL.
    await settlesWithin(this.#clock, KILL_MS, this.exited);
  }

  /** Waits for the end, removes what is left of the group, and collects the rest of the output. */
  async #end(program: StartedProgram, forget: () => void): Promise<EndpointFailure> {
    const output = Promise.all([this.#log.read(program.stdout), this.#log.read(program.stderr)]);
    const { code, signal } = await program.exited;
    this.#hasEnded = true;
    const isStopped = this.#stopping !== null;
    await this.#kill();
    forget();
    await settlesWithin(this.#clock, PIPES_MS, output);
    // A process that left the group may keep them open.
    program.stdout.destroy();
    program.stderr.destroy();
    // A killed program leaves its socket behind.
    if (process.platform !== 'win32') await rm(this.address.socketPath, { force: true }).catch(() => {});
    const isOutOfMemory = signal === 'SIGKILL' && !isStopped && (await this.#oomKills.isNew());
    return exitFailure({ code, signal, isOutOfMemory, usesCard: this.#usesCard }, this.log);
  }

  async #kill(): Promise<void> {
    if (process.platform === 'win32' && !this.#hasEnded) signalGroup(this.pid, 'SIGKILL');
    await killUntilGone(() => this.#processes(), KILL_MS);
  }

  /** The live processes of its group. A child that leads no group, as Electron's, is alone. */
  async #processes(): Promise<number[]> {
    const group = process.platform === 'win32' ? [] : await processesInGroup(this.pid);
    return group.length > 0 || this.#hasEnded ? group : [this.pid];
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, LOW_PRIORITY);
  } catch {
    // It has ended already, or the system does not allow it: it runs at the daemon's priority.
  }
}
