import type { EndpointState } from '../../contract/endpoints/endpoint.ts';
import type { EndpointFailure, EndpointProgress } from '../../contract/endpoints/endpoint-report.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { asleepAndPaid } from '../errors.ts';
import { updateFailure } from '../failures/endpoint-failed.ts';
import { EndpointOutput } from '../output/endpoint-output.ts';
import { progressText } from '../preparation/start-progress.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';
import type { StoredEndpoint } from '../records/stored-endpoint.ts';
import type { EndpointEvent, Requester } from '../states/endpoint-lifecycle.ts';
import type { Acquiring, Backend, BackendAddress } from './backends.ts';
import { Changes } from './changes.ts';
import { IdleWatch } from './idle-watch.ts';
import { processSettings } from './process-settings.ts';
import { ReplicaRequests } from './replica-requests.ts';
import { ReplicaSet, type ReplicaSetPlan } from './replica-set.ts';

/** The longest wait for the requests of replaced replicas to end. */
const DRAIN_MS = 30_000;

const RUNS: ReadonlySet<EndpointState> = new Set(['pending', 'initializing', 'running', 'updating', 'updateFailed']);

export interface EndpointSupervisorDeps {
  readonly name: string;
  /** The endpoint's current record; undefined: it is gone. */
  readonly record: () => EndpointRecord | undefined;
  /** Applies an event to the endpoint's status. Never rejects. */
  readonly apply: (
    event: EndpointEvent,
    more?: {
      readonly failure?: EndpointFailure;
      /** Asked when its turn has come, after changes that people made in the meantime: whether it still has a meaning. */
      readonly isStill?: () => boolean;
    },
  ) => Promise<void>;
  readonly show: (message: string) => void;
  /** Called a few times a second at most while its processes write. */
  readonly onLogGrew: () => void;
  readonly planOf: (record: EndpointRecord) => ReplicaSetPlan;
  /** US dollars for an hour in which a replica runs; 0: it costs nothing, null: unknown. */
  readonly priceOf: (endpoint: StoredEndpoint) => Promise<number | null>;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Running {
  readonly key: string;
  readonly set: ReplicaSet;
  /** Whether it was begun to end a sleep. */
  readonly wakes: boolean;
}

/**
 * Keeps the processes of one endpoint as its status demands: starts, replaces and ends sets of replicas, and lets it
 * sleep when it is unused.
 */
export class EndpointSupervisor {
  readonly #deps: EndpointSupervisorDeps;
  /** The replicas that serve or will serve. */
  #current: Running | null = null;
  /** The replicas of a changed endpoint, which replace the current ones once they are ready. */
  #next: Running | null = null;
  /** Settles once the sets that ended so far are gone. */
  #ended: Promise<unknown> = Promise.resolve();
  #isRetired = false;
  /** Of all its processes so far. */
  readonly output: EndpointOutput;
  readonly #changes: Changes;
  readonly #requests: ReplicaRequests;
  readonly #idle: IdleWatch;

  constructor(deps: EndpointSupervisorDeps) {
    this.#deps = deps;
    this.output = new EndpointOutput(deps.clock, deps.onLogGrew);
    this.#changes = new Changes(deps.clock);
    this.#idle = new IdleWatch(deps.clock, () => void this.#sleep());
    this.#requests = new ReplicaRequests({
      name: deps.name,
      record: () => this.#record(),
      ready: () => this.#current?.set.ready ?? [],
      wake: (by) => this.#wake(by),
      onBegin: () => this.#idle.stop(),
      onEnd: () => {
        this.#idle.used();
        this.#watchIdle();
      },
      changes: this.#changes,
      clock: deps.clock,
    });
  }

  get current(): ReplicaSet | null {
    return this.#current?.set ?? null;
  }

  /** The set whose start is under way. */
  get starting(): ReplicaSet | null {
    return this.#next?.set ?? (this.#current && this.#current.set.ready.length === 0 ? this.#current.set : null);
  }

  /** Whether its sleep ends, and it has not been ready since. */
  get isWaking(): boolean {
    if (!this.#current) return false;
    const { wakes, set } = this.#current;
    return wakes && !set.hasServed;
  }

  /** Brings the processes in line with the endpoint's record. */
  sync(): void {
    const record = this.#record();
    if (!record || !RUNS.has(record.endpoint.status.state)) {
      this.#dropNext();
      this.#dropCurrent();
    } else this.#keep(record);
    this.#changes.notify();
    this.#watchIdle();
  }

  /** Ends all processes and starts none again, until `restore`. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    this.sync();
    await this.#ended;
  }

  restore(): void {
    this.#isRetired = false;
    this.sync();
  }

  peek(): BackendAddress | null {
    const [first] = this.#current?.set.ready ?? [];
    return first ? { id: first.id, address: first.replica.address, healthRoute: first.replica.healthRoute } : null;
  }

  /** See `Backends.acquire`. */
  acquire(acquiring: Acquiring): Promise<Backend> {
    return this.#requests.acquire(acquiring);
  }

  /** The record whose status is to be followed; undefined: there is none, and no process is to run. */
  #record(): EndpointRecord | undefined {
    return this.#isRetired ? undefined : this.#deps.record();
  }

  /** @throws EndpointUnavailable when the sender may not wake it, because it costs money */
  async #wake(by: Requester | null): Promise<void> {
    const { name, priceOf, apply } = this.#deps;
    const endpoint = this.#record()?.endpoint;
    if (endpoint && by?.mayWakePaid === false) {
      const pricePerHour = await priceOf(endpoint);
      const sleeps = this.#record()?.endpoint.status.state === 'scaledToZero'; // somebody else may have woken it
      if (pricePerHour !== 0 && sleeps) throw asleepAndPaid(name, pricePerHour);
    }
    await apply({ type: 'requested', by });
  }

  #keep(record: EndpointRecord): void {
    const { state } = record.endpoint.status;
    const key = processSettings(record);
    const current = this.#current;
    if (current?.key === key) {
      this.#dropNext();
      const ready = current.set.ready.length;
      if (state === 'pending') void this.#deps.apply({ type: 'starting' });
      if (state === 'pending' && ready > 0) void this.#deps.apply({ type: 'replicas', ready });
      if (state === 'updating') this.#updateDone(current);
      return;
    }
    const serves = current !== null && current.set.ready.length > 0;
    if (serves && state === 'updateFailed') return;
    if (serves && state === 'updating') {
      if (this.#next?.key === key) return;
      this.#dropNext();
      this.#next = this.#begin(key, record, Promise.resolve());
      return;
    }
    if (this.#next?.key === key) {
      this.#dropCurrent();
      this.#current = this.#next;
      this.#next = null;
      return;
    }
    this.#dropNext();
    this.#dropCurrent();
    this.#current = this.#begin(key, record, this.#ended);
  }

  #begin(key: string, record: EndpointRecord, after: Promise<unknown>): Running {
    const { planOf, apply, clock, log } = this.#deps;
    const { state } = record.endpoint.status;
    const set: ReplicaSet = new ReplicaSet(
      planOf(record),
      {
        onReady: () => this.#onReady(set),
        onProgress: (progress) => this.#onProgress(set, progress),
        onLine: (text, truncated) => this.output.add(text, truncated),
        onFailed: (failure) => this.#onFailed(set, failure),
      },
      { clock, log },
    );
    if (state === 'pending') {
      // Its message replaces those of the progress so far.
      void apply({ type: 'starting' }).then(() => this.#onProgress(set, set.progress));
    }
    set.start(after);
    return { key, set, wakes: state === 'initializing' };
  }

  #onReady(set: ReplicaSet): void {
    const { apply } = this.#deps;
    const ready = set.ready.length;
    if (set === this.#next?.set && ready > 0) {
      const replaced = this.#current;
      this.#current = this.#next;
      this.#next = null;
      if (replaced) this.#endLater(replaced.set, this.#drained(replaced.set));
      this.#updateDone(this.#current);
    } else if (set === this.#current?.set) {
      this.#idle.used();
      void apply({ type: 'replicas', ready }, { isStill: () => set === this.#current?.set });
    }
    this.#changes.notify();
  }

  #onProgress(set: ReplicaSet, progress: EndpointProgress): void {
    if (set === this.starting) this.#deps.show(progressText(progress));
  }

  #onFailed(set: ReplicaSet, failure: EndpointFailure): void {
    const { apply } = this.#deps;
    const text = ({ message, action }: EndpointFailure) => `${message} ${action}`;
    if (set === this.#next?.set) {
      const { key } = this.#next;
      const ofUpdate = updateFailure(failure);
      this.#dropNext();
      const event = { type: 'update-failed', message: text(ofUpdate) } as const;
      void apply(event, { failure: ofUpdate, isStill: () => this.#isWanted(key) });
    } else if (set === this.#current?.set) {
      void apply({ type: 'failed', message: text(failure) }, { failure, isStill: () => set === this.#current?.set });
    }
  }

  #updateDone({ key, set }: Running): void {
    const event = { type: 'update-done', ready: set.ready.length } as const;
    void this.#deps.apply(event, { isStill: () => this.#isWanted(key) });
  }

  /** Whether a set with these settings is the one that the endpoint's record demands. */
  #isWanted(key: string): boolean {
    const record = this.#deps.record();
    return record !== undefined && processSettings(record) === key;
  }

  #dropCurrent(): void {
    if (this.#current) this.#endLater(this.#current.set);
    this.#current = null;
  }

  #dropNext(): void {
    if (this.#next) this.#endLater(this.#next.set);
    this.#next = null;
  }

  #endLater(set: ReplicaSet, after: Promise<void> = Promise.resolve()): void {
    this.#ended = Promise.all([this.#ended, after.then(() => set.end())]);
  }

  /** Waits until the requests of a replaced set have ended, within a limit. */
  async #drained(set: ReplicaSet): Promise<void> {
    const ids = set.ready.map(({ id }) => id);
    set.withdraw(true);
    const untilMs = this.#deps.clock.now().getTime() + DRAIN_MS;
    for (;;) {
      const leftMs = untilMs - this.#deps.clock.now().getTime();
      if (leftMs <= 0 || !this.#current || !this.#requests.uses(ids)) return;
      await this.#changes.next(leftMs);
    }
  }

  /** Lets the endpoint sleep once it has been unused for its timeout. */
  #watchIdle(): void {
    this.#idle.stop();
    const record = this.#record();
    if (!record || this.#requests.isAny || !this.#current || this.#current.set.ready.length === 0) return;
    const { status, compute } = record.endpoint;
    const { minReplica, scaleToZeroTimeout } = compute.scaling;
    if (minReplica > 0 || scaleToZeroTimeout === null) return;
    if (status.state !== 'running' && status.state !== 'updateFailed') return;
    this.#idle.start(scaleToZeroTimeout);
  }

  /** Takes the replicas out of service before the status changes: no request gets one that is about to end. */
  async #sleep(): Promise<void> {
    const current = this.#current;
    if (this.#requests.isAny || !current) return;
    current.set.withdraw(true);
    await this.#deps.apply({ type: 'idle' });
    if (this.#current !== current) return;
    current.set.withdraw(false);
    this.sync();
  }
}
