import type { EndpointFailure, EndpointProgress } from '../../contract/endpoints/endpoint-report.ts';
import { Mutex } from '../../shared/async/mutex.ts';
import type { Logger } from '../../shared/logger.ts';
import { knownFailure, unexpectedFailure } from '../failures/endpoint-failed.ts';
import { atStep, startProgress, startSteps } from '../preparation/start-report.ts';
import type { Replica } from '../runtime/endpoint-runtime.ts';
import { memoryRoom } from './memory-room.ts';
import type { DrainDeps } from './replica/drained.ts';
import { type KeptReplica, ReplicaKeeper } from './replica/replica-keeper.ts';
import type { ReplicaSetPlan } from './replica/replica-plan.ts';

export interface ReplicaSetEvents {
  /** The replicas in service, or those that are about to end, have changed. */
  onChange(): void;
  onProgress(progress: EndpointProgress): void;
  /** A line of the output of its replicas. */
  onLine(text: string, truncated: boolean): void;
  /** A replica could not be kept in service, and the set goes on with the others. */
  onShort(failure: EndpointFailure): void;
  /** No replica is left, and none will be started again. */
  onFailed(failure: EndpointFailure): void;
}

/** A replica that serves requests. */
export interface ReadyReplica {
  readonly id: string;
  readonly replica: Replica;
  /** Whether it does not answer now: it gets no new requests until it does. */
  readonly isSilent: boolean;
  /** The requests that it answers at the same time; null: its program decides. */
  readonly slots: number | null;
}

/** The replicas of an endpoint that share one description. Their number may change at any time. */
export class ReplicaSet {
  readonly #plan: ReplicaSetPlan;
  readonly #events: ReplicaSetEvents;
  readonly #deps: DrainDeps & { readonly log: Logger };
  readonly #starts = new Mutex();
  /** Each with the promise of its end, which never rejects. The oldest is the first. */
  readonly #keepers = new Map<ReplicaKeeper, Promise<void>>();
  #after: Promise<unknown> = Promise.resolve();
  #isWithdrawn = false;
  #isEnding = false;
  #hasServed = false;
  #endCause: EndpointFailure | null = null;
  #label: string | null = null;
  #progress: EndpointProgress;

  constructor(plan: ReplicaSetPlan, events: ReplicaSetEvents, deps: DrainDeps & { readonly log: Logger }) {
    this.#plan = plan;
    this.#events = events;
    this.#deps = deps;
    this.#progress = startProgress(startSteps(plan.parts));
  }

  /** Those that serve requests, the oldest first. */
  get ready(): readonly ReadyReplica[] {
    if (this.#isWithdrawn) return [];
    return [...this.#keepers.keys()].flatMap(({ ready }) => (ready ? [ready] : []));
  }

  /** The number of replicas that it has or starts, without those that are about to end. */
  get size(): number {
    return this.#staying.length;
  }

  /** The number of replicas that are about to end. */
  get leaving(): number {
    return this.replicas.filter(({ state }) => state === 'draining').length;
  }

  /** Whether one of its replicas has been ready. */
  get hasServed(): boolean {
    return this.#hasServed;
  }

  /** Why the newest replica that ended by itself did so; null: none has, or one was ready since. */
  get endCause(): EndpointFailure | null {
    return this.#endCause;
  }

  /** The name of the program; null: none was started yet. */
  get label(): string | null {
    return this.#label;
  }

  get progress(): EndpointProgress {
    return this.#progress;
  }

  /** The most CPU threads that each of its replicas may use. */
  get threads(): number {
    return this.#plan.threads;
  }

  /** How many more of its replicas the memory has room for; null: unknown. */
  room(): Promise<number | null> {
    return memoryRoom(this.#plan.availableBytes(), this.ready);
  }

  get replicas(): readonly KeptReplica[] {
    return [...this.#keepers.keys()].flatMap(({ replicas }) => replicas);
  }

  /** @param after settles before the first replica starts */
  start(count: number, after: Promise<unknown>): void {
    this.#after = after;
    this.scaleTo(count, 0);
  }

  /**
   * Changes the number of replicas. Those that are about to end are put back into service before others are started. Of
   * those that go, the ones that are not ready go first, then those with the fewest requests.
   * @param drainMs the longest wait for the requests of those that go, also of those that are about to
   */
  scaleTo(count: number, drainMs: number): void {
    if (this.#isEnding) return;
    const [size, leaving] = [this.size, this.leaving];
    for (const keeper of this.#keepers.keys()) if (this.size < count) keeper.stay();
    while (this.size < count) this.#add();
    const rank = ({ ready }: ReplicaKeeper) => (ready ? this.#deps.requestsOf(ready.id) : -1);
    const leastUsed = this.#staying.toReversed().sort((a, b) => rank(a) - rank(b));
    for (const keeper of leastUsed.slice(0, Math.max(0, this.size - count))) keeper.leave(drainMs);
    for (const keeper of this.#keepers.keys()) if (keeper.isLeaving) keeper.leave(drainMs);
    if (this.size !== size || this.leaving !== leaving) this.#changed();
  }

  /** Takes the replicas out of service, or back into it, while they run on. */
  withdraw(isWithdrawn: boolean): void {
    this.#isWithdrawn = isWithdrawn;
  }

  /**
   * Ends every replica. Resolves once all their processes are gone.
   * @param drainMs the longest wait for their requests; 0: none, also for those that wait already
   */
  async end(drainMs = 0): Promise<void> {
    this.#isEnding = true;
    for (const keeper of this.#keepers.keys()) {
      if (drainMs > 0) keeper.leave(drainMs);
      else keeper.end();
    }
    await Promise.all(this.#keepers.values());
  }

  get #staying(): ReplicaKeeper[] {
    return [...this.#keepers.keys()].filter(({ isLeaving }) => !isLeaving);
  }

  #add(): void {
    const keeper: ReplicaKeeper = new ReplicaKeeper({
      ...this.#deps,
      plan: this.#plan,
      starts: this.#starts,
      onProgress: (progress) => this.#report(progress),
      onRuntime: (label) => {
        this.#label = label;
      },
      onEnded: (cause) => {
        this.#endCause = cause;
        this.#report(this.#progress);
      },
      onStep: (step, detail) => this.#report(atStep(this.#progress, step, null, detail ?? null)),
      onLine: (text, truncated) => this.#events.onLine(text, truncated),
      onChange: () => this.#changed(),
    });
    const run = this.#after.then(() => keeper.run());
    const ended = run.then(
      () => this.#remove(keeper),
      (error: unknown) => this.#gaveUp(keeper, error),
    );
    this.#keepers.set(keeper, ended);
  }

  #remove(keeper: ReplicaKeeper): void {
    this.#keepers.delete(keeper);
    this.#changed();
  }

  #gaveUp(keeper: ReplicaKeeper, error: unknown): void {
    this.#keepers.delete(keeper);
    if (!this.#isEnding) this.#fail(error);
    this.#changed();
  }

  #fail(error: unknown): void {
    const known = knownFailure(error);
    if (!known) this.#deps.log.error(`endpoint ${this.#plan.id}: its start failed`, error);
    const failure = known ?? unexpectedFailure(error);
    if (this.size > 0 && this.#hasServed) {
      this.#deps.log.warn(`endpoint ${this.#plan.id}: ${failure.message} Its other replicas serve.`);
      this.#events.onShort(failure);
    } else {
      void this.end(); // before a first one was ready, the others would fail in the same way
      this.#events.onFailed(failure);
    }
  }

  #changed(): void {
    if (this.ready.length > 0) {
      this.#hasServed = true;
      this.#endCause = null;
    }
    this.#events.onChange();
  }

  #report(progress: EndpointProgress): void {
    this.#progress = progress;
    if (this.ready.length === 0) this.#events.onProgress(progress);
  }
}
