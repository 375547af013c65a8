import { randomBytes } from 'node:crypto';
import type { EndpointFailure, EndpointProgress, ReplicaReport } from '../../../contract/endpoints/endpoint-report.ts';
import type { Mutex } from '../../../shared/async/mutex.ts';
import { sleepOn } from '../../../shared/clock.ts';
import type { Logger } from '../../../shared/logger.ts';
import { EndpointFailed, knownFailure } from '../../failures/endpoint-failed.ts';
import { exitFailure } from '../../failures/exit-cause.ts';
import { withSlots } from '../../preparation/slots.ts';
import type { StartStep } from '../../preparation/start-report.ts';
import type { Replica } from '../../runtime/endpoint-runtime.ts';
import type { OnReplicaLine } from '../../runtime/replica-log.ts';
import { type DrainDeps, drained } from './drained.ts';
import { ProcessorMeter } from './processor-meter.ts';
import type { ReplicaSetPlan } from './replica-plan.ts';
import { ReplicaWatch } from './replica-watch.ts';
import { MAX_RESTARTS, restartDelayMs } from './restart-policy.ts';

/** The longest wait for the requests of a replica that no longer answers to its health route. */
const HUNG_DRAIN_MS = 30_000;

/** A replica with what is known of it. */
export interface KeptReplica {
  readonly id: string;
  readonly replica: Replica;
  readonly processor: ProcessorMeter;
  state: Exclude<ReplicaReport['state'], 'silent'>;
  /** Whether it does not answer now, while it is ready. */
  isSilent: boolean;
  /** The requests that it answers at the same time; null: its program decides. */
  readonly slots: number | null;
}

export interface KeeperDeps extends DrainDeps {
  readonly plan: ReplicaSetPlan;
  /** Replicas of a set start one after the other: how much memory is available shows once a model is loaded. */
  readonly starts: Mutex;
  /** The program that serves its replicas. */
  readonly onRuntime: (label: string) => void;
  readonly onProgress: (progress: EndpointProgress) => void;
  /** @param detail how far it is, in one sentence */
  readonly onStep: (step: StartStep, detail?: string) => void;
  readonly onLine: (text: string, truncated: boolean) => void;
  /** Its replica has ended by itself, or no longer answers. Called before `onChange`. */
  readonly onEnded: (cause: EndpointFailure) => void;
  /** A replica of it has become ready, or is no longer, or is gone. Not called by `leave` and `stay`: their caller knows. */
  readonly onChange: () => void;
  readonly log: Logger;
}

/** Keeps one replica in service: starts it, watches it, and starts another one in its place when it ends. */
export class ReplicaKeeper {
  readonly #deps: KeeperDeps;
  readonly #replicas = new Set<KeptReplica>();
  /** Settle once a replica that no longer answered is gone. */
  readonly #departures = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  /** When a replica of it wrote its last line. */
  #lastLineMs = 0;
  /** The replica whose requests are to end first; aborted to go on serving. null: it is not about to end. */
  #leaving: { readonly kept: KeptReplica; readonly wait: AbortController; readonly untilMs: number } | null = null;

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
  }

  /** Its replicas, also those that are about to end. */
  get replicas(): readonly KeptReplica[] {
    return [...this.#replicas];
  }

  /** The replica in service; null: none. */
  get ready(): KeptReplica | null {
    return this.replicas.find(({ state }) => state === 'ready') ?? null;
  }

  /** Whether it ends, now or once its requests have ended. */
  get isLeaving(): boolean {
    return this.#leaving !== null || this.#ending.signal.aborted;
  }

  /**
   * Keeps a replica in service until `leave` or `end`. Resolves once all its replicas are gone.
   * @throws EndpointFailed when it gives up, any error of the preparation
   */
  async run(): Promise<void> {
    const { plan, clock, log } = this.#deps;
    const { signal } = this.#ending;
    const exitsMs: number[] = [];
    try {
      for (;;) {
        const cause = await this.#runOne(signal);
        if (this.isLeaving) return;
        const nowMs = clock.elapsedMs();
        exitsMs.push(nowMs);
        const delayMs = restartDelayMs(exitsMs, nowMs);
        if (delayMs === null) {
          const message = `${cause.message} It was restarted ${MAX_RESTARTS} times in five minutes.`;
          throw new EndpointFailed({ ...cause, message });
        }
        log.warn(`endpoint ${plan.id}: ${cause.message} It is started again.`);
        await sleepOn(clock, delayMs, signal);
      }
    } catch (error) {
      if (!this.isLeaving) throw error;
    } finally {
      this.end();
      await Promise.all(this.#departures);
    }
  }

  /**
   * Takes its replica out of service, and ends it once its requests have ended.
   * @param drainMs the longest wait for that; one that is under way becomes no longer by it
   */
  leave(drainMs: number): void {
    if (this.#ending.signal.aborted) return;
    const kept = this.#leaving?.kept ?? this.ready;
    if (kept && drainMs > 0) this.#drain(kept, drainMs);
    else this.end();
  }

  #drain(kept: KeptReplica, drainMs: number): void {
    const untilMs = this.#deps.clock.elapsedMs() + drainMs;
    if (this.#leaving && this.#leaving.untilMs <= untilMs) return;
    this.#leaving?.wait.abort();
    const wait = new AbortController();
    this.#leaving = { kept, wait, untilMs };
    kept.state = 'draining';
    void drained(kept.id, drainMs, this.#deps, wait.signal).then(
      () => {
        if (!wait.signal.aborted) this.end(); // it may have been put back at the last moment
      },
      () => {}, // it stays, or has less time
    );
  }

  /** Puts a replica that is about to end back into service. */
  stay(): void {
    if (!this.#leaving || this.#ending.signal.aborted) return;
    const { kept, wait } = this.#leaving;
    wait.abort();
    this.#leaving = null;
    kept.state = 'ready';
  }

  /** Ends its replicas at once. */
  end(): void {
    this.#leaving?.wait.abort();
    this.#ending.abort(new Error('the replica is stopped'));
  }

  /** Runs one replica until it ends or no longer answers. @returns why @throws the reason of the signal, or why it cannot start */
  async #runOne(signal: AbortSignal): Promise<EndpointFailure> {
    const { starts, onChange, onEnded } = this.#deps;
    const started = await starts.run(() => this.#started(signal));
    if ('failure' in started) {
      onEnded(started.failure);
      return started.failure;
    }
    const { kept, watch } = started;
    const { replica, processor } = kept;
    let hung: EndpointFailure | null = null;
    try {
      signal.throwIfAborted(); // it may have been ended while it gave its last answer
      kept.state = 'ready';
      void processor.percent();
      onChange();
      hung = await watch.ended({
        onHealthy: () => void processor.percent(),
        onSilent: (isSilent) => {
          kept.isSilent = isSilent;
          onChange();
        },
      });
      this.#takeOut(kept); // also while its last lines are read
      const cause = hung ?? exitFailure(await replica.exited, replica.log);
      onEnded(cause);
      return cause;
    } finally {
      const gone = this.#depart(kept, hung ? HUNG_DRAIN_MS : 0);
      if (!hung) await gone;
    }
  }

  /** Starts a replica and waits until it has loaded its model. @returns why it ended, if it did. Throws as `#runOne` */
  async #started(signal: AbortSignal): Promise<Started | { readonly failure: EndpointFailure }> {
    const kept = await this.#begun(signal);
    const { replica } = kept;
    try {
      this.#deps.onStep('load');
      const watch = new ReplicaWatch(replica, this.#deps.clock, signal);
      const isLoaded = await watch.loaded({
        lastLineMs: () => this.#lastLineMs,
        onHealth: (text) => this.#deps.onStep('load', text),
      });
      if (isLoaded) return { kept, watch };
    } catch (error) {
      await this.#depart(kept, 0);
      throw error;
    }
    const failure = exitFailure(await replica.exited, replica.log); // before the stop, which would count as the cause
    await this.#depart(kept, 0);
    return { failure };
  }

  async #begun(signal: AbortSignal): Promise<KeptReplica> {
    const { plan, onRuntime, onProgress, onStep, onLine, clock } = this.#deps;
    signal.throwIfAborted();
    const runtime = await plan.runtime(); // before a download for nothing
    const model = await this.#withRoom(() => plan.prepare(signal, onProgress));
    onRuntime(runtime.label); // a container engine that was waited for has its name now
    signal.throwIfAborted();
    onStep('start');
    const slots = await plan.slots(model);
    const variables = await plan.variables();
    signal.throwIfAborted();
    const id = randomBytes(4).toString('hex');
    const socketPath = await plan.sockets.pathFor(id);
    const { threads } = plan;
    const parts = withSlots(plan.parts, slots);
    const noted: OnReplicaLine = (text, truncated) => {
      this.#lastLineMs = clock.elapsedMs();
      onLine(text, truncated);
    };
    const spec = { id, endpoint: plan.id, parts, model, variables, socketPath, threads, onLine: noted };
    const replica = await runtime.start(spec);
    const kept: KeptReplica = {
      id,
      replica,
      processor: new ProcessorMeter(replica, clock),
      state: 'starting',
      isSilent: false,
      slots: slots?.count ?? null,
    };
    this.#replicas.add(kept);
    return kept;
  }

  /** Gives a replica no more requests. */
  #takeOut(kept: KeptReplica): void {
    if (this.#leaving?.kept === kept) this.end(); // it was about to, and cannot stay any more
    kept.state = 'draining';
  }

  /** A replica that no longer answers still has its memory: where that is needed, its requests end first. */
  async #withRoom<T>(prepare: () => Promise<T>): Promise<T> {
    try {
      return await prepare();
    } catch (error) {
      if (knownFailure(error)?.reason !== 'no-memory' || this.#departures.size === 0) throw error;
      await Promise.all(this.#departures);
      return await prepare();
    }
  }

  /** Ends a replica once its requests have ended, within a time. Never rejects. */
  #depart(kept: KeptReplica, drainMs: number): Promise<void> {
    const gone = this.#endAfter(kept, drainMs).finally(() => this.#departures.delete(gone));
    this.#departures.add(gone);
    return gone;
  }

  async #endAfter(kept: KeptReplica, drainMs: number): Promise<void> {
    const { plan, onChange, log } = this.#deps;
    this.#takeOut(kept);
    onChange();
    if (drainMs > 0) await drained(kept.id, drainMs, this.#deps, this.#ending.signal).catch(() => {});
    await kept.replica.stop().catch((error: unknown) => {
      log.error(`endpoint ${plan.id}: a replica could not be stopped`, error);
    });
    this.#replicas.delete(kept);
    onChange();
  }
}

interface Started {
  readonly kept: KeptReplica;
  readonly watch: ReplicaWatch;
}
