import type { EndpointFailure, EndpointProgress } from '../../contract/endpoints/endpoint-report.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { updateFailure } from '../failures/endpoint-failed.ts';
import { progressText } from '../preparation/start-report.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';
import type { EndpointEvent } from '../states/endpoint-lifecycle.ts';
import { hardwareUsage } from './hardware-usage.ts';
import { processSettings } from './process-settings.ts';
import type { Changes } from './replica/changes.ts';
import type { PlanReplicas } from './replica/replica-plan.ts';
import { ReplicaScaler } from './replica-scaler.ts';
import { type ReadyReplica, ReplicaSet } from './replica-set.ts';
import { type Running, ServedSets } from './served-sets.ts';

export interface ReplicaControlDeps {
  /** The endpoint's record; undefined: no process of it is to run. */
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
  readonly planOf: PlanReplicas;
  /** Percent of the graphics cards that all programs use; null: unknown. Never rejects. */
  readonly gpuUsage: () => Promise<number | null>;
  /** The requests that a replica has now. */
  readonly requestsOf: (id: string) => number;
  readonly onLine: (text: string, truncated: boolean) => void;
  /** Called when replicas may have become ready, or are no longer. */
  readonly onChange: () => void;
  readonly changes: Changes;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Keeps the version and the number of an endpoint's replicas as its record and its load demand. */
export class ReplicaControl {
  readonly #deps: ReplicaControlDeps;
  readonly #sets = new ServedSets();
  readonly #scaler: ReplicaScaler;

  constructor(deps: ReplicaControlDeps) {
    this.#deps = deps;
    this.#scaler = new ReplicaScaler({
      scaling: () => deps.record()?.endpoint.compute.scaling ?? null,
      hardwareUsage: () => this.#hardwareUsage(),
      ready: () => this.#sets.current?.set.ready.length ?? 0,
      room: async () => (await this.#sets.current?.set.room()) ?? null,
      onCount: (why) => this.#scale(why),
      clock: deps.clock,
      log: deps.log,
    });
  }

  get sets(): Pick<ServedSets, 'current' | 'ready' | 'replicas' | 'ended'> {
    return this.#sets;
  }

  /** The progress of the start that is under way; null: none is. */
  get progress(): EndpointProgress | null {
    return this.#starting?.progress ?? null;
  }

  /** Why there are as many replicas as there are; null: the settings allow only one number, or there is none. */
  get scaling(): string | null {
    return this.#sets.ready.length > 0 ? this.#scaler.text : null;
  }

  /** The requests that wait or are under way now. */
  requests(count: number): void {
    this.#scaler.requests(count);
  }

  /** Ends all replicas. @param drainMs as of `ServedSets.endAll` */
  end(drainMs: number): void {
    this.#sets.endAll(drainMs);
    this.#scaler.stop();
  }

  /** Brings the replicas in line with the record of an endpoint that is to run. */
  keep(record: EndpointRecord): void {
    const { status } = record.endpoint;
    const key = processSettings(record);
    const sets = this.#sets;
    const updates = status.state === 'updating' && sets.ready.length > 0;
    if (updates) this.#scaler.unblock(); // somebody has changed something
    if (sets.current?.key === key) {
      sets.dropNext();
      if (status.state === 'pending') void this.#deps.apply({ type: 'starting' });
      if (updates) this.#updateDone(key);
      this.#scale(null);
    } else if (updates) this.#update(key, record);
    else if (status.state === 'updateFailed' && sets.ready.length > 0) this.#scale(null);
    else if (sets.next?.key === key) {
      sets.replaceCurrent(); // the earlier version has ended meanwhile
      this.#scale(null);
    } else this.#begin(key, record);
  }

  /** Begins to replace the replicas, or goes on with it. */
  #update(key: string, record: EndpointRecord): void {
    const sets = this.#sets;
    this.#scaler.stop();
    if (sets.next?.key !== key) {
      sets.dropNext();
      sets.beginNext(this.#made(key, record));
    }
    this.#roll();
  }

  /** Starts the endpoint anew, once the replicas that still have requests are gone: their memory may be needed. */
  #begin(key: string, record: EndpointRecord): void {
    this.#sets.endCurrent();
    this.#scaler.reset();
    const running = this.#made(key, record);
    const { ended } = this.#sets;
    this.#sets.begin(running);
    if (record.endpoint.status.state === 'pending') {
      // Its message replaces those of the progress so far.
      void this.#deps.apply({ type: 'starting' }).then(() => this.#onProgress(running.set, running.set.progress));
    }
    running.set.start(this.#scaler.count, ended);
  }

  #made(key: string, record: EndpointRecord): Running {
    const { planOf, requestsOf, onLine, changes, clock, log } = this.#deps;
    const set: ReplicaSet = new ReplicaSet(
      planOf(record, () => this.#slotsReplacedBy(set)),
      {
        onChange: () => this.#onChange(set),
        onProgress: (progress) => this.#onProgress(set, progress),
        onLine,
        onShort: (failure) => this.#onShort(set, failure),
        onFailed: (failure) => this.#onFailed(set, failure),
      },
      { requestsOf, changes, clock, log },
    );
    return { key, set, wakes: record.endpoint.status.state === 'initializing' };
  }

  /** The most slots of a replica that goes once the next one of a set is there. */
  #slotsReplacedBy(set: ReplicaSet): number {
    const { current, next, replicas } = this.#sets;
    const earlier = set === next?.set ? (current?.set.replicas ?? []) : [];
    const going = [...earlier, ...replicas.filter(({ state }) => state === 'draining')];
    return Math.max(0, ...going.map(({ slots }) => slots ?? 0));
  }

  /** Brings the number of replicas in line with the load. @param why the load has changed it; null: it has not */
  #scale(why: string | null): void {
    const { current, next } = this.#sets;
    if (!current || next) return;
    const { set } = current;
    this.#reportReplicas(why); // before the replicas that go and come report themselves
    this.#sets.scaleTo(this.#scaler.allowed(set.size));
    if (set.ready.length > 0) this.#scaler.start();
    else this.#scaler.stop(); // requests that wait for a start say nothing of the load
  }

  /** Takes an update as far as it goes now. */
  #roll(): void {
    const { next } = this.#sets;
    if (next && this.#sets.roll(this.#scaler.count)) this.#updateDone(next.key);
    this.#reportReplicas(null);
  }

  async #hardwareUsage(): Promise<number | null> {
    const { current } = this.#sets;
    const record = this.#deps.record();
    if (!current || !record) return null;
    return hardwareUsage(record.endpoint.compute.accelerator, current.set, this.#deps.gpuUsage);
  }

  /** The set whose start is under way. */
  get #starting(): ReplicaSet | null {
    const { current, next } = this.#sets;
    return next?.set ?? (current && current.set.ready.length === 0 ? current.set : null);
  }

  #onChange(set: ReplicaSet): void {
    const { current, next } = this.#sets;
    if (set === current?.set || set === next?.set) {
      if (next) this.#roll();
      else this.#scale(null);
    }
    this.#deps.onChange();
  }

  #onProgress(set: ReplicaSet, progress: EndpointProgress): void {
    if (set !== this.#starting) return;
    const text = progressText(progress);
    this.#deps.show(set.endCause ? `${set.endCause.message} It is started again. ${text}` : text);
  }

  /** A replica could not be kept in service, while others are. */
  #onShort(set: ReplicaSet, failure: EndpointFailure): void {
    const { current, next } = this.#sets;
    if (set === next?.set) this.#updateFailed(next.key, failure);
    else if (!next && set === current?.set) {
      this.#scaler.block(failure, set.size);
      this.#scale(this.#scaler.text);
    }
  }

  #onFailed(set: ReplicaSet, failure: EndpointFailure): void {
    const { current, next } = this.#sets;
    if (set === next?.set && current && current.set.size > 0) this.#updateFailed(next.key, failure);
    else if (set === (next ?? current)?.set) {
      const isStill = () => set === this.#sets.current?.set || set === this.#sets.next?.set;
      void this.#deps.apply({ type: 'failed', message: textOf(failure) }, { failure, isStill });
    } else if (next && set === current?.set) this.#endEarlier(next);
  }

  /** The earlier version has failed during an update: the new one takes its place, with the replicas that it has so far. */
  #endEarlier({ key, set }: Running): void {
    this.#sets.replaceCurrent();
    if (set.ready.length > 0) this.#updateDone(key);
    this.#scale(null);
  }

  /** The earlier version serves again, with all its replicas. */
  #updateFailed(key: string, failure: EndpointFailure): void {
    const ofUpdate = updateFailure(failure);
    this.#sets.dropNext();
    const event = { type: 'update-failed', message: textOf(ofUpdate) } as const;
    void this.#deps.apply(event, { failure: ofUpdate, isStill: () => this.#isWanted(key) });
    this.#scale(null);
  }

  #updateDone(key: string): void {
    const { ready } = this.#sets;
    const served = { ready: ready.length, target: this.#scaler.count, inContainer: hasContainer(ready) };
    const event = { type: 'update-done', ...served } as const;
    void this.#deps.apply(event, { isStill: () => this.#isWanted(key) });
  }

  #reportReplicas(why: string | null): void {
    const { current, ready } = this.#sets;
    const endCause = current?.set.endCause?.message ?? null;
    const served = { ready: ready.length, target: this.#scaler.count, inContainer: hasContainer(ready) };
    const event = { type: 'replicas', ...served, why, endCause } as const;
    void this.#deps.apply(event, { isStill: () => current === this.#sets.current });
  }

  /** Whether replicas with these settings are those that the endpoint's record demands. */
  #isWanted(key: string): boolean {
    const record = this.#deps.record();
    return record !== undefined && processSettings(record) === key;
  }
}

const hasContainer = (ready: readonly ReadyReplica[]) => ready.some(({ replica }) => replica.container !== null);

const textOf = ({ message, action }: EndpointFailure) => `${message} ${action}`;
