import type { EndpointFailure, EndpointProgress } from '../../contract/endpoints/endpoint-report.ts';
import type { Mutex } from '../../shared/async/mutex.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { EndpointFailed, knownFailure } from '../failures/endpoint-failed.ts';
import { atStep, type StartStep } from '../preparation/start-report.ts';
import type { OnReplicaLine } from '../runtime/replica-log.ts';
import { MAX_RESTARTS, type PlannedReplica, restartDelayMs } from './plan.ts';
import type { ReplicaSetPlan } from './replica-plans.ts';
import { type KeptReplica, ProcessorMeter } from './replica-usage.ts';
import { ReplicaWatch } from './replica-watch.ts';
import { whyNotReady } from './why-not-ready.ts';

/** The longest wait for the requests of a replica that no longer answers to its health route. */
const HUNG_DRAIN_MS = 30_000;
const WAITS_FOR_CARD = 'It waits until another model is loaded on the graphics card.';

/** The parts that the replicas of a version share. */
export interface ReplicaVersion {
  readonly plan: ReplicaSetPlan;
  /** They start one after the other: how much memory is available shows once a model is loaded. */
  readonly starts: Mutex;
  /** The name of the program; null: none was started yet. */
  label: string | null;
  progress: EndpointProgress;
  /** Why the newest one that ended by itself did so; null: none has, or one was ready since. */
  endCause: EndpointFailure | null;
}

type Started = { readonly kept: KeptReplica; readonly watch: ReplicaWatch } | { readonly failure: EndpointFailure };

export interface KeeperDeps {
  /** The requests that a process has now. */
  readonly requestsOf: (id: string) => number;
  readonly onLine: OnReplicaLine;
  /** The progress of the version, or the cause of an end, has changed. */
  readonly onProgress: () => void;
  /** Its process has become ready, or is no longer, or is gone. Not called by `leave`, `stay` and `end`: their caller knows. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A process that no longer answers, and ends once its requests have. */
export interface HungReplica extends PlannedReplica {
  readonly kept: KeptReplica;
  end(): void;
}

/**
 * Owns the processes or containers of one replica: starts one, watches it, and starts another one in its place when it ends
 * by itself or no longer answers.
 */
export class ReplicaKeeper implements PlannedReplica {
  readonly #version: ReplicaVersion;
  readonly #deps: KeeperDeps;
  readonly #ending = new AbortController();
  /** Those that no longer answer, with the promises of their ends. */
  readonly #hung = new Map<HungReplica, Promise<void>>();
  #kept: KeptReplica | null = null;
  #leavesMs: number | null = null;
  /** When a process of it wrote its last line. */
  #lastLineMs = 0;

  constructor(version: ReplicaVersion, deps: KeeperDeps) {
    this.#version = version;
    this.#deps = deps;
  }

  get state(): PlannedReplica['state'] {
    if (this.#ending.signal.aborted) return 'ending';
    if (this.#leavesMs !== null) return 'leaving';
    return this.#kept?.state === 'ready' ? 'ready' : 'starting';
  }

  get isGoing(): boolean {
    return this.#kept?.state === 'draining';
  }

  get requests(): number {
    return this.#kept ? this.#deps.requestsOf(this.#kept.id) : 0;
  }

  get untilMs(): number {
    return this.#leavesMs ?? Number.POSITIVE_INFINITY;
  }

  get hung(): readonly HungReplica[] {
    return [...this.#hung.keys()];
  }

  /** Its processes, also those that are about to end, the newest last. */
  get processes(): readonly KeptReplica[] {
    return [...this.hung.map(({ kept }) => kept), ...(this.#kept ? [this.#kept] : [])];
  }

  /**
   * Keeps a replica in service until `end`. Resolves once all its processes are gone.
   * @throws EndpointFailed when it gives up, any error of the preparation
   */
  async run(): Promise<void> {
    const { clock, log } = this.#deps;
    const { signal } = this.#ending;
    const exitsMs: number[] = [];
    try {
      for (;;) {
        const cause = await this.#runOne(signal);
        if (this.#isLeaving) return;
        const isElsewhere = (await this.#version.plan.ended(cause)) === 'restart-on-processor';
        if (!isElsewhere) exitsMs.push(clock.elapsedMs());
        const delayMs = isElsewhere ? 0 : restartDelayMs(exitsMs, clock.elapsedMs());
        if (delayMs === null) {
          const message = `${cause.message} It was restarted ${MAX_RESTARTS} times in five minutes.`;
          throw new EndpointFailed({ ...cause, message });
        }
        log.warn(`endpoint ${this.#version.plan.id}: ${cause.message} It is started again.`);
        await sleepOn(clock, delayMs, signal);
      }
    } catch (error) {
      if (!this.#isLeaving) throw error;
    } finally {
      this.end();
      await Promise.all(this.#hung.values());
    }
  }

  /** Takes its replica, which is ready, out of service. Its owner calls `end` once the requests have ended, or at that time. */
  leave(untilMs: number): void {
    this.#leavesMs = untilMs;
    if (this.#kept) this.#kept.state = 'draining';
  }

  /** Puts a replica that is leaving back into service. */
  stay(): void {
    this.#leavesMs = null;
    if (this.#kept) this.#kept.state = 'ready';
  }

  /** Ends all its processes at once. */
  end(): void {
    if (this.#kept?.state === 'ready') this.#kept.state = 'draining';
    this.#ending.abort(new Error('the replica is stopped'));
    for (const hung of this.#hung.keys()) hung.end();
  }

  get #isLeaving(): boolean {
    return this.#leavesMs !== null || this.#ending.signal.aborted;
  }

  /** Runs one process until it ends or no longer answers. @returns why @throws the reason of the signal, or why it cannot start */
  async #runOne(signal: AbortSignal): Promise<EndpointFailure> {
    const { onChange } = this.#deps;
    const started = await this.#version.starts.run(() => this.#started(signal));
    if ('failure' in started) return this.#endedBy(started.failure);
    const { kept, watch } = started;
    let hung: EndpointFailure | null = null;
    try {
      signal.throwIfAborted(); // it may have been ended while it gave its last answer
      kept.state = 'ready';
      void kept.processor.percent();
      onChange();
      hung = await watch.ended({
        onHealthy: () => void kept.processor.percent(),
        onSilent: (isSilent) => {
          kept.isSilent = isSilent;
          onChange();
        },
      });
      this.#takeOut(kept); // also while its last lines are read
      return this.#endedBy(hung ?? (await kept.replica.exited));
    } finally {
      await (hung ? this.#replace(kept) : this.#stop(kept));
    }
  }

  /** Starts a process and waits until it has loaded its model. @returns why it ended, if it did. Throws as `#runOne` */
  async #started(signal: AbortSignal): Promise<Started> {
    const kept = await this.#begun(signal);
    this.#kept = kept;
    const watch = new ReplicaWatch(kept.replica, this.#deps.clock, signal);
    try {
      const failure = await whyNotReady(kept, watch, {
        ...{ plan: this.#version.plan, clock: this.#deps.clock, log: this.#deps.log, signal },
        program: this.#version.label ?? '',
        lastLineMs: () => this.#lastLineMs,
        warmsUp: this.#version.progress.steps.some(({ name }) => name === 'warm'),
        at: (step, detail) => this.#at(step, detail),
      });
      if (failure === null) return { kept, watch };
      await this.#stop(kept);
      return { failure };
    } catch (error) {
      await this.#stop(kept);
      throw error;
    }
  }

  async #begun(signal: AbortSignal): Promise<KeptReplica> {
    const { clock, onLine } = this.#deps;
    const { plan } = this.#version;
    signal.throwIfAborted();
    const { runtime, model } = await this.#withRoom(() => plan.prepare(signal, (progress) => this.#show(progress)));
    this.#version.label = runtime.label; // a container engine that was waited for has its name now
    signal.throwIfAborted();
    this.#at('start');
    // How much of a card's memory is free is measured: a process that no longer answers has its part until it is gone.
    if (plan.parts().compute.accelerator === 'gpu') await Promise.all(this.#hung.values());
    const onWait = (waits: boolean) => this.#at('start', waits ? WAITS_FOR_CARD : null);
    const { spec, slots = null } = (await plan.start(model, signal, onWait)) ?? {};
    if (!spec) return this.#begun(signal); // on the processor
    const noted: OnReplicaLine = (text, truncated) => {
      this.#lastLineMs = clock.elapsedMs();
      onLine(text, truncated);
    };
    try {
      signal.throwIfAborted();
      const replica = await runtime.start({ ...spec, onLine: noted });
      const processor = new ProcessorMeter(replica, clock);
      return { id: spec.id, replica, processor, state: 'starting', isSilent: false, slots, card: spec.card };
    } catch (error) {
      spec.card?.ended();
      throw error;
    }
  }

  #at(step: StartStep, detail: string | null = null): void {
    this.#show(atStep(this.#version.progress, step, null, detail));
  }

  #show(progress: EndpointProgress): void {
    this.#version.progress = progress;
    this.#deps.onProgress();
  }

  #endedBy(cause: EndpointFailure): EndpointFailure {
    this.#version.endCause = cause;
    this.#deps.onProgress();
    return cause;
  }

  /** Gives a process no more requests. */
  #takeOut(kept: KeptReplica): void {
    if (this.#leavesMs !== null) this.end(); // it was about to, and cannot stay any more
    kept.state = 'draining';
  }

  /** A process that no longer answers still has its memory: where that is needed, its requests end first. */
  async #withRoom<T>(prepare: () => Promise<T>): Promise<T> {
    try {
      return await prepare();
    } catch (error) {
      if (knownFailure(error)?.reason !== 'no-memory' || this.#hung.size === 0) throw error;
      await Promise.all(this.#hung.values());
      return await prepare();
    }
  }

  /** Lets a process that no longer answers end after its requests, while another one takes its place. */
  #replace(kept: KeptReplica): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { requestsOf, clock } = this.#deps;
    const hung: HungReplica = {
      ...{ kept, state: 'hung', isGoing: true, untilMs: clock.elapsedMs() + HUNG_DRAIN_MS, end: resolve },
      get requests() {
        return requestsOf(kept.id);
      },
    };
    if (this.#ending.signal.aborted) resolve();
    this.#kept = null;
    const gone = promise.then(async () => {
      await this.#stop(kept);
      this.#hung.delete(hung);
      this.#deps.onChange();
    });
    this.#hung.set(hung, gone);
    this.#deps.onChange();
  }

  /** Never rejects. */
  async #stop(kept: KeptReplica): Promise<void> {
    const { onChange, log } = this.#deps;
    if (this.#kept === kept) {
      this.#takeOut(kept);
      onChange();
    }
    await kept.replica.stop().catch((error: unknown) => {
      log.error(`endpoint ${this.#version.plan.id}: a replica could not be stopped`, error);
    });
    kept.card?.ended();
    if (this.#kept === kept) this.#kept = null;
    onChange();
  }
}
