import { balancingOf } from '../../contract/endpoints/balancing.ts';
import type { EndpointState } from '../../contract/endpoints/endpoint.ts';
import type { Clock } from '../../shared/clock.ts';
import { EndpointUnavailable } from '../errors.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';
import type { Requester } from '../states/endpoint-lifecycle.ts';
import type { Acquiring, Backend } from './backends.ts';
import type { Changes } from './replica/changes.ts';
import type { ReadyReplica } from './replica-set.ts';
import { ReplicaUse } from './replica-use.ts';

/** A hint for clients when to try again while an endpoint starts, in seconds. */
const RETRY_AFTER_S = 5;

export interface ReplicaRequestsDeps {
  /** The endpoint's name, for errors. */
  readonly name: string;
  /** The endpoint's current record; undefined: it is gone or about to go. */
  readonly record: () => EndpointRecord | undefined;
  readonly ready: () => readonly ReadyReplica[];
  /** Wakes the sleeping endpoint. */
  readonly wake: (by: Requester | null) => Promise<void>;
  /** Called before a request gets a replica or waits for one. */
  readonly onBegin: () => void;
  /** Called after a request has released its replica or stopped waiting. */
  readonly onEnd: () => void;
  readonly changes: Changes;
  readonly clock: Clock;
}

/** Gives an endpoint's ready replicas to requests; requests wait for one while the endpoint starts. */
export class ReplicaRequests {
  readonly #deps: ReplicaRequestsDeps;
  readonly #use = new ReplicaUse(Math.random);
  #waiting = 0;
  #inFlight = 0;

  constructor(deps: ReplicaRequestsDeps) {
    this.#deps = deps;
  }

  /** Requests that wait for a replica. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Requests that use a replica. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whether a request waits for a replica or uses one. */
  get isAny(): boolean {
    return this.#waiting + this.#inFlight > 0;
  }

  /** The requests that a replica has now. */
  requestsOf(id: string): number {
    return this.#use.requestsOf(id);
  }

  /** Lets requests leave replicas that do not answer, if another one could. To be called when replicas have changed. */
  leaveSilent(): void {
    const ready = this.#deps.ready();
    if (ready.every(({ isSilent }) => isSilent)) return;
    for (const { id, isSilent } of ready) if (isSilent) this.#use.giveUp(id);
  }

  /** See `Backends.acquire`. */
  async acquire(acquiring: Acquiring): Promise<Backend> {
    this.#waiting += 1;
    this.#deps.onBegin();
    try {
      const backend = this.#take(acquiring) ?? (await this.#waitForReplica(acquiring));
      this.#waiting -= 1;
      this.#inFlight += 1;
      return backend;
    } catch (error) {
      this.#waiting -= 1;
      this.#deps.onEnd();
      throw error;
    }
  }

  async #waitForReplica(acquiring: Acquiring): Promise<Backend> {
    const { waitMs, signal, by = null } = acquiring;
    const { name, record, wake, changes, clock } = this.#deps;
    const untilMs = clock.elapsedMs() + waitMs;
    for (;;) {
      signal.throwIfAborted();
      const state = this.#requireServable();
      if (state === 'scaledToZero') await wake(by);
      const backend = this.#take(acquiring);
      if (backend) return backend;
      const leftMs = untilMs - clock.elapsedMs();
      if (leftMs <= 0) {
        const progress = record()?.endpoint.status.message ?? '';
        throw new EndpointUnavailable(`"${name}" is starting. ${progress}`, RETRY_AFTER_S);
      }
      await changes.next(leftMs, signal);
    }
  }

  /** @returns the state @throws EndpointUnavailable when waiting is pointless */
  #requireServable(): EndpointState {
    const { name, record } = this.#deps;
    const found = record();
    if (!found) throw new EndpointUnavailable(`"${name}" is being deleted.`, null);
    const { state, message } = found.endpoint.status;
    if (state === 'paused') throw new EndpointUnavailable(`"${name}" is paused. Resume it to use it.`, null);
    if (state === 'failed') {
      // The message of a failure has what to do.
      const text = found.failure ? message : `${message} Resume it to try again.`;
      throw new EndpointUnavailable(`"${name}" has failed: ${text}`, null);
    }
    return state;
  }

  #take(acquiring: Acquiring): Backend | null {
    const { record, changes, onEnd } = this.#deps;
    const ready = () => this.#deps.ready().filter(({ id, isSilent }) => !isSilent && !acquiring.exclude?.has(id));
    const found = record();
    if (!found) return null;
    return this.#use.take(ready(), balancingOf(found.endpoint), acquiring, (isFree) => {
      this.#inFlight -= 1;
      onEnd();
      if (isFree) changes.notify(); // replicas that are to end wait for it
    });
  }
}
