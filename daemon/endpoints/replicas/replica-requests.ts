import { balancingOf } from '../../contract/endpoints/balancing.ts';
import type { EndpointState } from '../../contract/endpoints/endpoint.ts';
import type { Clock } from '../../shared/clock.ts';
import { lacksChatTemplate } from '../description/chat-template.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';
import type { Requester } from '../states/endpoint-lifecycle.ts';
import { ChatTemplateMissing, EndpointUnavailable } from '../states/errors.ts';
import type { Acquiring, Backend, BackendAddress } from './backends.ts';
import { type ReadyReplica, ReplicaUse, STALLED_MS } from './replica-use.ts';

/** The longest wait for a place at replicas that are ready and have as many requests as they answer at the same time. */
const QUEUE_MS = 10 * 60_000;
/** A hint for clients when to try again while an endpoint starts, in seconds. */
const RETRY_AFTER_S = 5;

/** A request that waits for a replica. */
interface Waiting {
  readonly acquiring: Acquiring;
  readonly sinceMs: number;
  /** Since when no replica is ready; null: one is. */
  unreadySinceMs: number | null;
  backend: Backend | null;
  /** Ends its wait for a change. */
  wake: () => void;
}

interface ReplicaRequestsDeps {
  /** The endpoint's name, for errors. */
  readonly name: string;
  /** The endpoint's current record; undefined: it is gone or about to go. */
  readonly record: () => EndpointRecord | undefined;
  readonly ready: () => readonly ReadyReplica[];
  /** All replicas, also those that are about to end. */
  readonly replicas: () => readonly Pick<ReadyReplica, 'id' | 'isSilent'>[];
  /** Wakes the sleeping endpoint. */
  readonly wake: (by: Requester | null) => Promise<void>;
  /** Called before a request gets a replica or waits for one, and after it has released its replica or stopped waiting. */
  readonly onUse: (hasEnded: boolean) => void;
  readonly clock: Clock;
}

/**
 * Gives an endpoint's ready replicas to requests. Requests wait while the endpoint starts, and while its replicas have as
 * many as they answer at the same time: who came first goes first. The gateway's limits count requests, and queue none.
 */
export class ReplicaRequests {
  readonly #deps: ReplicaRequestsDeps;
  readonly #use: ReplicaUse;
  /** In the order of their arrival at the gateway. */
  #queue = new Set<Waiting>();
  #waiting = 0;
  #inFlight = 0;

  constructor(deps: ReplicaRequestsDeps) {
    this.#deps = deps;
    this.#use = new ReplicaUse(Math.random, deps.clock.elapsedMs, () => this.#serveQueue());
  }

  /** The requests that wait for a replica or use one. */
  get count(): number {
    return this.#waiting + this.#inFlight;
  }

  /** The requests that a replica has now. */
  requestsOf(id: string): number {
    return this.#use.requestsOf(id);
  }

  /**
   * Replicas or the record have changed: those that wait look again, and requests may leave replicas that do not answer,
   * also those that are about to end, if another one could.
   */
  changed(): void {
    const { ready, replicas } = this.#deps;
    if (ready().some(({ isSilent }) => !isSilent)) {
      for (const { id, isSilent } of replicas()) if (isSilent) this.#use.giveUp(id);
    }
    for (const { wake } of this.#queue) wake();
  }

  /** See `Backends.peek`. */
  peek(): BackendAddress | null {
    const [first] = this.#ready({});
    return first ? { id: first.id, address: first.replica.address, healthRoute: first.replica.healthRoute } : null;
  }

  /** See `Backends.acquire`. */
  async acquire(acquiring: Acquiring): Promise<Backend> {
    this.#refuseChat(acquiring);
    this.#waiting += 1;
    this.#deps.onUse(false);
    const isFirst = this.#queue.size === 0;
    return (isFirst ? this.#take(acquiring) : null) ?? (await this.#waitForReplica(acquiring));
  }

  async #waitForReplica(acquiring: Acquiring): Promise<Backend> {
    const { signal, by = null } = acquiring;
    const sinceMs = this.#deps.clock.elapsedMs();
    const waiting: Waiting = { acquiring, sinceMs, unreadySinceMs: null, backend: null, wake: () => {} };
    this.#enqueue(waiting);
    try {
      for (;;) {
        signal.throwIfAborted();
        this.#refuseChat(acquiring); // the first start has found out
        const state = this.#requireServable();
        if (state === 'scaledToZero') await this.#deps.wake(by);
        this.#serveQueue();
        if (waiting.backend) return waiting.backend;
        await this.#waitForChange(waiting);
        if (waiting.backend) return waiting.backend;
      }
    } catch (error) {
      const gotOne = waiting.backend; // at the last moment
      if (gotOne) gotOne.release();
      else {
        this.#waiting -= 1;
        this.#deps.onUse(true);
      }
      throw error;
    } finally {
      this.#queue.delete(waiting);
    }
  }

  /** A request that lost its replica has the place of its arrival again. */
  #enqueue(waiting: Waiting): void {
    const arrival = arrivalOf(waiting);
    const isLast = [...this.#queue].every((other) => arrivalOf(other) <= arrival);
    this.#queue.add(waiting);
    if (!isLast) this.#queue = new Set([...this.#queue].sort((a, b) => arrivalOf(a) - arrivalOf(b)));
  }

  /**
   * The wait for a turn and the wait for a ready replica have a limit each: a replica that is lost for a moment ends no
   * request that has queued for longer than a start may take.
   * @throws EndpointUnavailable, the reason of the signal
   */
  async #waitForChange(waiting: Waiting): Promise<void> {
    const { acquiring, sinceMs } = waiting;
    const { waitMs, queueMs = QUEUE_MS, signal } = acquiring;
    const { clock } = this.#deps;
    const nowMs = clock.elapsedMs();
    const isBusy = this.#ready(acquiring).length > 0;
    waiting.unreadySinceMs = isBusy ? null : (waiting.unreadySinceMs ?? nowMs);
    const untilMs = waiting.unreadySinceMs === null ? sinceMs + queueMs : waiting.unreadySinceMs + waitMs;
    const leftMs = untilMs - nowMs;
    if (leftMs <= 0) throw this.#tooLate(isBusy);
    // A stalled replica counts again once the others send nothing any more, which is no change.
    const lookMs = isBusy ? Math.min(leftMs, STALLED_MS) : leftMs;
    signal.throwIfAborted(); // it may have been given up while the endpoint was woken
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => reject(signal.reason);
    const cancel = clock.after(lookMs, resolve);
    waiting.wake = resolve;
    signal.addEventListener('abort', onAbort, { once: true });
    await promise.finally(() => {
      cancel();
      signal.removeEventListener('abort', onAbort);
    });
  }

  #tooLate(isBusy: boolean): EndpointUnavailable {
    const { name, record, ready } = this.#deps;
    let why = `is starting. ${record()?.endpoint.status.message ?? ''}`;
    if (isBusy) why = `is busy: ${this.#inFlight} requests are being answered.`;
    else if (ready().length > 0) why = 'does not answer: its model server is silent.';
    return new EndpointUnavailable(`"${name}" ${why}`, RETRY_AFTER_S);
  }

  /** During an update, and after one that failed, replicas of another model may serve. @throws ChatTemplateMissing */
  #refuseChat({ isChat }: Acquiring): void {
    const { name, record } = this.#deps;
    const found = record();
    if (!isChat || !found || !isSettled(found)) return;
    if (lacksChatTemplate(found.endpoint.model, found.bringsChatTemplate)) throw new ChatTemplateMissing(name);
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

  /** Gives the replicas that have room to the requests that wait, the earliest first. */
  #serveQueue(): void {
    let isFull = false;
    for (const waiting of this.#queue) {
      const { takesSlot = false, exclude } = waiting.acquiring;
      if (isFull && takesSlot) continue;
      waiting.backend = this.#take(waiting.acquiring);
      isFull ||= waiting.backend === null && takesSlot && !exclude?.size; // what one may not use, another may
      if (!waiting.backend) continue;
      this.#queue.delete(waiting);
      waiting.wake();
    }
  }

  /** The request no longer waits if it gets one. */
  #take(acquiring: Acquiring): Backend | null {
    const { record, onUse } = this.#deps;
    const found = record();
    if (!found) return null;
    const backend = this.#use.take(this.#ready(acquiring), balancingOf(found.endpoint), acquiring, () => {
      this.#inFlight -= 1;
      onUse(true);
      this.#serveQueue();
    });
    if (!backend) return null;
    this.#waiting -= 1;
    this.#inFlight += 1;
    return backend;
  }

  #ready({ exclude }: Pick<Acquiring, 'exclude'>): ReadyReplica[] {
    return this.#deps.ready().filter(({ id, isSilent }) => !isSilent && !exclude?.has(id));
  }
}

const arrivalOf = ({ acquiring, sinceMs }: Waiting): number => acquiring.arrivedMs ?? sinceMs;

const isSettled = ({ endpoint: { status } }: EndpointRecord): boolean =>
  status.state !== 'updating' && status.state !== 'updateFailed';
