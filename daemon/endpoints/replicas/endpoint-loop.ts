import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import type { Publish } from '../../shared/async/event-bus.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { updateFailure } from '../failures/endpoint-failed.ts';
import { progressText } from '../preparation/start-report.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';
import type { StoredEndpoint } from '../records/stored-endpoint.ts';
import type { EndpointEvent, EventDetails, Requester } from '../states/endpoint-lifecycle.ts';
import { asleepAndPaid, EndpointNotFound } from '../states/errors.ts';
import { EndpointOutput } from './endpoint-output.ts';
import { due, type FailureEffect, type PlannedRecord, plan, processSettings, sleepAtMs } from './plan.ts';
import type { PlanReplicas } from './replica-plans.ts';
import { ReplicaRequests } from './replica-requests.ts';
import { ReplicaScaler } from './replica-scaler.ts';
import type { KeptReplica } from './replica-usage.ts';
import { ReplicaVersions, readyOf, type Version } from './replica-versions.ts';

export interface LoopDeps {
  readonly endpoints: {
    /** The endpoint's current record; undefined: it is gone. */
    record(of: EndpointRef): EndpointRecord | undefined;
    /** Applies an event to the endpoint's status. @throws EndpointNotFound */
    apply(of: EndpointRef, event: EndpointEvent, more?: EventDetails): Promise<unknown>;
    /** Shows the progress of a start. */
    show(of: EndpointRef, message: string): void;
  };
  readonly planOf: PlanReplicas;
  /** US dollars for an hour in which a replica runs; 0: it costs nothing, null: unknown. */
  readonly priceOf: (endpoint: StoredEndpoint) => Promise<number | null>;
  /**
   * Percent of graphics cards that all programs use; null: unknown. Never rejects.
   * @param cards their names; empty: all
   */
  readonly gpuUsage: (cards: readonly string[]) => Promise<number | null>;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The loop of one endpoint: after each change of its record, its load or its replicas it asks `plan` for the next steps, lets
 * `ReplicaVersions` carry them out, and reports what serves. Lets the endpoint sleep when it is unused.
 */
export class EndpointLoop {
  readonly #deps: LoopDeps;
  readonly #scaler: ReplicaScaler;
  /** The settings of an update that has failed, which the record does not say yet; null: none. */
  #failedUpdate: string | null = null;
  /** The record when it was looked at last. */
  #seen: EndpointRecord | undefined;
  /** Whether it is about to sleep: no request gets a replica that is about to end. */
  #fallsAsleep = false;
  #isRetired = false;
  /** Whether a replica served requests when it was looked at last. */
  #wasReady = false;
  /** When a request ended last, or a replica became the first that is ready. */
  #usedMs: number;
  #cancelTimer = () => {};
  readonly endpoint: EndpointRef;
  /** Its replicas. */
  readonly versions: ReplicaVersions;
  readonly requests: ReplicaRequests;
  /** Of all its processes so far. */
  readonly output: EndpointOutput;

  constructor(endpoint: EndpointRef, deps: LoopDeps) {
    const { planOf, gpuUsage, publish, clock, log } = deps;
    this.#deps = deps;
    this.endpoint = endpoint;
    this.#usedMs = clock.elapsedMs();
    this.output = new EndpointOutput(clock, () =>
      publish({ type: 'endpoint-log.grew', ...endpoint, last: this.output.last }),
    );
    this.versions = new ReplicaVersions({
      planOf,
      requestsOf: (id) => this.requests.requestsOf(id),
      onLine: (text, truncated) => this.output.add(text, truncated),
      onProgress: (version) => this.#showProgress(version),
      onFailure: (...failing) => this.#onFailure(...failing),
      onChange: () => this.look(),
      ...{ clock, log },
    });
    this.#scaler = new ReplicaScaler({
      hardwareUsage: () => this.versions.usage(gpuUsage),
      ready: () => readyOf(this.versions.current).length,
      room: () => this.versions.room(),
      onCount: (why) => this.look(why),
      ...{ clock, log },
    });
    this.requests = new ReplicaRequests({
      name: endpoint.name,
      record: () => this.#record(),
      ready: () => this.#ready,
      replicas: () => this.versions.processes,
      wake: (by) => this.#wake(by),
      onUse: (hasEnded) => this.#onUse(hasEnded),
      clock,
    });
  }

  /** Why there are as many replicas as there are; null: the settings allow only one number, or there is none. */
  get scaling(): string | null {
    return this.#ready.length > 0 ? this.#scaler.text : null;
  }

  /** Ends all processes and starts none again, until `restore`. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    this.look();
    await this.versions.ended;
  }

  restore(): void {
    this.#isRetired = false;
    this.look();
  }

  /**
   * Brings the replicas in line with the endpoint's record and its load. To be called when either has changed, or a replica.
   * @param why the load, or a failure, has changed the number of replicas, in one sentence; null: nothing has
   */
  look(why: string | null = null): void {
    const record = this.#record();
    const seen = record ? { state: record.endpoint.status.state, settings: processSettings(record) } : null;
    for (const version of this.versions.all) {
      if (readyOf(version).length === 0) continue;
      version.hasServed = true;
      version.endCause = null;
    }
    if (record) this.#scaler.scaling = record.endpoint.compute.scaling;
    const isNews = record !== this.#seen;
    this.#seen = record;
    if (isNews && seen?.state === 'updating' && this.#ready.length > 0) this.#scaler.unblock(); // somebody changed something
    const next = () => {
      const load = { target: this.#scaler.count, mayGrow: !this.#scaler.isBlocked };
      return plan(seen, load, { ...this.versions.planned, failedUpdate: this.#failedUpdate }, this.#nowMs);
    };
    for (let steps = next(); steps.length > 0; steps = next()) {
      for (const step of steps) {
        this.versions.carryOut(step, record);
        if (step.do === 'begin') this.#begun(seen?.state === 'pending');
      }
    }
    if (seen?.state !== 'updating' || seen.settings !== this.#failedUpdate) this.#failedUpdate = null;
    if (seen) this.#report(seen, why);
    const { current, next: update } = this.versions;
    if (!update && readyOf(current).length > 0) this.#scaler.start();
    else this.#scaler.stop(); // requests that wait for a start say nothing of the load
    const isReady = this.#ready.length > 0;
    if (isReady && !this.#wasReady) this.#usedMs = this.#nowMs;
    this.#wasReady = isReady;
    this.#endDue();
    this.requests.changed();
  }

  #begun(isPending: boolean): void {
    this.#scaler.reset();
    const { current } = this.versions;
    if (!isPending || !current) return;
    // Its message replaces those of the progress so far.
    void this.#apply({ type: 'starting' }).then(() => this.#showProgress(current));
  }

  /** A replica could not be kept in service. */
  #onFailure(effect: FailureEffect, failure: EndpointFailure, version: Version, size: number): void {
    if (effect === 'blocked') {
      this.#scaler.block(failure, size);
      this.look(this.#scaler.text);
    } else if (effect === 'update-failed') {
      const ofUpdate = updateFailure(failure);
      this.#failedUpdate = version.settings;
      const isStill = () => this.#isWanted(version.settings);
      void this.#apply({ type: 'update-failed', message: textOf(ofUpdate) }, { failure: ofUpdate, isStill });
    } else if (effect === 'failed') {
      const isStill = () => this.versions.all.includes(version);
      void this.#apply({ type: 'failed', message: textOf(failure) }, { failure, isStill });
    }
  }

  /** Reports which replicas serve. */
  #report({ state, settings }: PlannedRecord, why: string | null): void {
    const { current } = this.versions;
    if (!current) return;
    const ready = this.#ready;
    const inContainer = ready.some(({ replica }) => replica.container !== null);
    const served = { ready: ready.length, target: this.#scaler.count, inContainer };
    if (settings === current.settings) {
      if (state === 'pending') void this.#apply({ type: 'starting' });
      if (state === 'updating' && ready.length > 0) {
        void this.#apply({ type: 'update-done', ...served }, { isStill: () => this.#isWanted(settings) });
      }
    }
    const endCause = current.endCause?.message ?? null;
    const isStill = () => current === this.versions.current;
    void this.#apply({ type: 'replicas', ...served, why, endCause }, { isStill });
  }

  /** A refusal has no meaning here: the status changed in the meantime, and the next `look` follows it. */
  async #apply(event: EndpointEvent, more?: EventDetails): Promise<void> {
    if (this.#isRetired) return;
    const { endpoints, log } = this.#deps;
    await endpoints.apply(this.endpoint, event, more).catch((error: unknown) => {
      if (!(error instanceof EndpointNotFound))
        log.error(`endpoint ${endpointId(this.endpoint)}: ${event.type} was refused`, error);
    });
  }

  #showProgress(version: Version): void {
    if (version !== this.versions.starting || readyOf(version).length > 0) return;
    const text = progressText(version.progress);
    const message = version.endCause ? `${version.endCause.message} It is started again. ${text}` : text;
    this.#deps.endpoints.show(this.endpoint, message);
  }

  #onUse(hasEnded: boolean): void {
    this.#scaler.requests(this.requests.count);
    if (!hasEnded) return;
    this.#usedMs = this.#nowMs;
    this.#endDue();
  }

  /** Ends the replicas whose requests have ended or had their time, and sets the timer for the others and for the sleep. */
  #endDue(): void {
    const { current, next, earlier } = this.versions.planned;
    const all = [...(current?.replicas ?? []), ...(next?.replicas ?? []), ...earlier];
    const { ended, nextMs } = due(all, this.#nowMs);
    for (const replica of ended) replica.end();
    this.#cancelTimer();
    const atMs = Math.min(nextMs, this.#sleepAtMs);
    if (atMs === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.#deps.clock.after(Math.max(0, atMs - this.#nowMs), () => {
      if (this.#sleepAtMs <= this.#nowMs) void this.#sleep();
      else this.#endDue(); // also where the time was longer than a timer can wait
    });
  }

  /** When it falls asleep if nobody uses it until then; infinite: it does not. */
  get #sleepAtMs(): number {
    const record = this.#record();
    if (!record || this.#ready.length === 0) return Number.POSITIVE_INFINITY;
    const { status, compute } = record.endpoint;
    return sleepAtMs(status.state, compute.scaling, { isAny: this.requests.count > 0, lastMs: this.#usedMs });
  }

  /** Takes the replicas out of service before the status changes: no request gets one that is about to end. */
  async #sleep(): Promise<void> {
    this.#fallsAsleep = true;
    await this.#apply({ type: 'idle' });
    this.#fallsAsleep = false;
    this.look();
  }

  /** @throws EndpointUnavailable when the sender may not wake it, because it costs money */
  async #wake(by: Requester | null): Promise<void> {
    const stored = this.#record()?.endpoint;
    if (stored && by?.mayWakePaid === false) {
      const pricePerHour = await this.#deps.priceOf(stored);
      const sleeps = this.#record()?.endpoint.status.state === 'scaledToZero'; // somebody else may have woken it
      if (pricePerHour !== 0 && sleeps) throw asleepAndPaid(this.endpoint.name, pricePerHour);
    }
    await this.#apply({ type: 'requested', by });
  }

  /** The record whose status is to be followed; undefined: there is none, and no process is to run. */
  #record(): EndpointRecord | undefined {
    return this.#isRetired ? undefined : this.#deps.endpoints.record(this.endpoint);
  }

  /** Whether replicas with these settings are those that the endpoint's record demands. */
  #isWanted(settings: string): boolean {
    const record = this.#record();
    return record !== undefined && processSettings(record) === settings;
  }

  /** The replicas that requests may get. */
  get #ready(): readonly KeptReplica[] {
    return this.#fallsAsleep ? [] : this.versions.all.flatMap(readyOf);
  }

  get #nowMs(): number {
    return this.#deps.clock.elapsedMs();
  }
}

const textOf = ({ message, action }: EndpointFailure) => `${message} ${action}`;
