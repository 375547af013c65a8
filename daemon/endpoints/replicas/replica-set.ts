import { randomBytes } from 'node:crypto';
import type { EndpointFailure, EndpointProgress } from '../../contract/endpoints/endpoint-report.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { EndpointFailed, knownFailure, unexpectedFailure } from '../failures/endpoint-failed.ts';
import { exitFailure } from '../failures/exit-cause.ts';
import { atStep, startProgress, startSteps } from '../preparation/start-progress.ts';
import type { EndpointRuntime, PreparedModel, Replica } from '../runtime/endpoint-runtime.ts';
import { MAX_RESTARTS, restartDelayMs } from './restart-policy.ts';
import type { SocketFolder } from './socket-folder.ts';

/** A large model is read from a slow disk within this time. */
const LOADING_MS = 10 * 60_000;
const FIRST_POLL_MS = 20;
const LONGEST_POLL_MS = 500;
/** How often a ready replica is asked whether it is healthy. */
const WATCH_MS = 15_000;
/** Each replica is a process with the whole model in memory. A request may ask for up to 2^31 - 1. */
const MAX_REPLICAS = 32;
/** It is ended after this many failed answers in a row. */
const MAX_MISSED = 3;

/** All that a set of replicas needs to start. */
export interface ReplicaSetPlan {
  readonly name: string;
  readonly parts: EndpointParts;
  readonly replicas: number;
  /** Chooses the program. @throws EndpointFailed */
  readonly runtime: () => Promise<EndpointRuntime>;
  /** Puts the model's files on the disk and checks them. */
  readonly prepare: (signal: AbortSignal, onProgress: (progress: EndpointProgress) => void) => Promise<PreparedModel>;
  /** The variables of the processes, decrypted. */
  readonly variables: () => Promise<Readonly<Record<string, string>>>;
  readonly sockets: Pick<SocketFolder, 'pathFor'>;
  readonly threads: number;
}

export interface ReplicaSetEvents {
  /** The number of ready replicas has changed. */
  onReady(): void;
  onProgress(progress: EndpointProgress): void;
  /** A line of the output of its replicas. */
  onLine(text: string, truncated: boolean): void;
  /** No replica is left, and none will be started again. */
  onFailed(failure: EndpointFailure): void;
}

/** A replica that serves requests. */
export interface ReadyReplica {
  readonly id: string;
  readonly replica: Replica;
}

/**
 * The replicas of an endpoint that share one description: prepares its model, starts them, restarts those that end, and
 * gives up after several exits in a row.
 */
export class ReplicaSet {
  readonly #plan: ReplicaSetPlan;
  readonly #events: ReplicaSetEvents;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #ending = new AbortController();
  readonly #replicas = new Map<string, Replica>();
  #ready: readonly ReadyReplica[] = [];
  #isWithdrawn = false;
  #hasServed = false;
  #label: string | null = null;
  #progress: EndpointProgress;
  #work: Promise<unknown> = Promise.resolve();

  constructor(plan: ReplicaSetPlan, events: ReplicaSetEvents, deps: { readonly clock: Clock; readonly log: Logger }) {
    this.#plan = plan;
    this.#events = events;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#progress = startProgress(startSteps(plan.parts));
  }

  /** Those that serve requests. */
  get ready(): readonly ReadyReplica[] {
    return this.#isWithdrawn ? [] : this.#ready;
  }

  /** Whether one of its replicas has been ready. */
  get hasServed(): boolean {
    return this.#hasServed;
  }

  /** The name of the program; null: none was started yet. */
  get label(): string | null {
    return this.#label;
  }

  get progress(): EndpointProgress {
    return this.#progress;
  }

  get replicas(): readonly { readonly id: string; readonly replica: Replica; readonly isReady: boolean }[] {
    const ready = new Set(this.#ready.map(({ replica }) => replica));
    return [...this.#replicas].map(([id, replica]) => ({ id, replica, isReady: ready.has(replica) }));
  }

  /** @param after settles before the first replica starts */
  start(after: Promise<unknown>): void {
    this.#work = after.then(() => this.#run()).catch(() => {});
  }

  /** Takes the replicas out of service, or back into it, while they run on. */
  withdraw(isWithdrawn: boolean): void {
    this.#isWithdrawn = isWithdrawn;
  }

  /** Ends every replica. Resolves once all their processes are gone. */
  async end(): Promise<void> {
    this.#ending.abort(new Error('the endpoint is stopped'));
    this.#isWithdrawn = true;
    await this.#work;
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    const { replicas } = this.#plan;
    if (replicas > MAX_REPLICAS) return this.#events.onFailed(tooManyReplicas(replicas));
    const failures: EndpointFailure[] = [];
    const keepers = Array.from({ length: replicas }, () =>
      this.#keep(signal).catch((error: unknown) => {
        if (signal.aborted) return;
        const known = knownFailure(error);
        if (!known) this.#log.error(`endpoint ${this.#plan.name}: its start failed`, error);
        failures.push(known ?? unexpectedFailure(error));
      }),
    );
    await Promise.all(keepers);
    const [failure] = failures;
    if (failure && !signal.aborted) this.#events.onFailed(failure);
  }

  /** Runs one replica after the other until the set ends. @throws EndpointFailed when it gives up */
  async #keep(signal: AbortSignal): Promise<void> {
    const exitsMs: number[] = [];
    for (;;) {
      signal.throwIfAborted();
      const cause = await this.#runOne(signal);
      const nowMs = this.#clock.now().getTime();
      exitsMs.push(nowMs);
      const delayMs = restartDelayMs(exitsMs, nowMs);
      if (delayMs === null) {
        const message = `${cause.message} It was restarted ${MAX_RESTARTS} times in five minutes.`;
        throw new EndpointFailed({ ...cause, message });
      }
      this.#log.warn(`endpoint ${this.#plan.name}: ${cause.message} It is started again.`);
      await sleepOn(this.#clock, delayMs, signal);
    }
  }

  /** Runs one replica until it ends. @returns why it ended @throws the reason of the signal, or why it cannot start */
  async #runOne(signal: AbortSignal): Promise<EndpointFailure> {
    const plan = this.#plan;
    const runtime = await plan.runtime(); // before a download for nothing
    const model = await plan.prepare(signal, (progress) => this.#report(progress));
    signal.throwIfAborted();
    this.#report(atStep(this.#progress, 'start'));
    const variables = await plan.variables();
    signal.throwIfAborted();
    const id = randomBytes(4).toString('hex');
    const socketPath = await plan.sockets.pathFor(id);
    const { parts, threads } = plan;
    this.#label = runtime.label;
    const onLine = (text: string, truncated: boolean) => this.#events.onLine(text, truncated);
    const replica = await runtime.start({ id, parts, model, variables, socketPath, threads, onLine });
    this.#replicas.set(id, replica);
    try {
      this.#report(atStep(this.#progress, 'load'));
      const isHealthy = await this.#loaded(replica, signal);
      if (!isHealthy) return exitFailure(await replica.exited, replica.log);
      this.#setReady([...this.#ready, { id, replica }]);
      const hung = await this.#ended(replica, signal);
      return hung ?? exitFailure(await replica.exited, replica.log);
    } finally {
      this.#setReady(this.#ready.filter((one) => one.replica !== replica));
      await replica.stop();
      this.#replicas.delete(id);
    }
  }

  /** Waits until a replica has loaded its model. @returns false when it ended @throws EndpointFailed after ten minutes */
  async #loaded(replica: Replica, signal: AbortSignal): Promise<boolean> {
    const startedMs = this.#clock.now().getTime();
    const end = endOf(replica, signal);
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(1.5 * pollMs, LONGEST_POLL_MS)) {
      if (await Promise.race([replica.isHealthy(), replica.exited.then(() => false)])) return true;
      if (end.hasEnded) return false;
      if (this.#clock.now().getTime() - startedMs > LOADING_MS) {
        throw new EndpointFailed({
          reason: 'timeout',
          message: 'The model was not loaded within 10 minutes.',
          action: 'Deploy a smaller model, or put the model files on a faster disk; then resume it.',
          evidence: replica.log.slice(-12),
        });
      }
      await this.#pause(pollMs, end, signal);
    }
  }

  /** Waits until a ready replica ends. @returns why it has to be ended; null: it has ended */
  async #ended(replica: Replica, signal: AbortSignal): Promise<EndpointFailure | null> {
    const end = endOf(replica, signal);
    for (let missed = 0; missed < MAX_MISSED; ) {
      await this.#pause(WATCH_MS, end, signal);
      if (end.hasEnded) return null;
      missed = (await replica.isHealthy()) ? 0 : missed + 1;
    }
    return {
      reason: 'crashed',
      message: `The server did not answer ${MAX_MISSED} times in a row.`,
      action: 'See the log, then resume the endpoint.',
      evidence: replica.log.slice(-12),
    };
  }

  /** Waits for a time, at most until a replica ends. @throws the reason of the signal */
  async #pause(ms: number, end: ReplicaEnd, signal: AbortSignal): Promise<void> {
    await sleepOn(this.#clock, ms, end.signal).catch(() => signal.throwIfAborted());
  }

  #setReady(ready: readonly ReadyReplica[]): void {
    if (ready.length === this.#ready.length) return;
    this.#ready = ready;
    if (ready.length > 0) this.#hasServed = true;
    this.#events.onReady();
  }

  #report(progress: EndpointProgress): void {
    this.#progress = progress;
    if (this.#ready.length === 0) this.#events.onProgress(progress);
  }
}

const tooManyReplicas = (replicas: number): EndpointFailure => ({
  reason: 'invalid-setting',
  message: `The endpoint is to have ${replicas} replicas; one machine runs at most ${MAX_REPLICAS}.`,
  action: 'Lower its minReplica, then resume it.',
  evidence: [],
});

interface ReplicaEnd {
  readonly hasEnded: boolean;
  /** Aborted once the replica has ended or is to be stopped. */
  readonly signal: AbortSignal;
}

/** Made once for a replica, not for each pause: what waits for its end is kept until then, which may be weeks. */
function endOf(replica: Replica, signal: AbortSignal): ReplicaEnd {
  const ended = new AbortController();
  void replica.exited.then(() => ended.abort());
  return {
    get hasEnded() {
      return ended.signal.aborted;
    },
    signal: AbortSignal.any([signal, ended.signal]),
  };
}
