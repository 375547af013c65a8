import { randomBytes } from 'node:crypto';
import type { AppSlotState, SlotHolder } from '../../contract/apps/app-slot.ts';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import { EventBus } from '../../shared/async/event-bus.ts';
import type { Now } from '../../shared/clock.ts';
import type { AppProcess, StopLadder } from './app-process.ts';
import type { Lease } from './app-slot.ts';
import { StartCancelled } from './errors.ts';
import { watchAlive } from './run-processes.ts';

/** The app that gets the slot once this run is over, and those who wait for it. */
export interface Successor {
  readonly appName: string;
  readonly started: PromiseWithResolvers<AppSlotState>;
}

/** A run that holds the slot, from the moment it was asked for until it is over and the robot stands where it began. */
export class RunUnderWay {
  readonly id = randomBytes(8).toString('hex');
  /** Proves to the daemon that a program belongs to this run. */
  readonly token = randomBytes(16).toString('hex');
  readonly app: InstalledApp;
  readonly lease: Lease;
  readonly startedAt: Date;
  /** Settles once the slot is free, or another's. */
  readonly over: Promise<void>;
  successor: Successor | null = null;
  readonly #now: Now;
  readonly #settleOver: () => void;
  readonly #cancelStart = new AbortController();
  readonly #exited = new AbortController();
  readonly #stops = new EventBus<void>();
  #process: AppProcess | null = null;
  /** Asked for before there was a process to climb it. */
  #pendingStop: StopLadder | null = null;
  #killAtMs = Number.POSITIVE_INFINITY;
  #stopAsked = false;
  #forced = false;
  #saidHello = false;

  /** @param run.occupy gives the slot to a holder */
  constructor(run: { app: InstalledApp; occupy: (holder: SlotHolder) => Lease; now: Now }) {
    this.app = run.app;
    this.#now = run.now;
    this.startedAt = run.now();
    this.lease = run.occupy({ kind: 'managed-app', appName: run.app.name, runId: this.id });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.over = promise;
    this.#settleOver = resolve;
  }

  get stopAsked(): boolean {
    return this.#stopAsked;
  }

  /** Whether somebody wanted it to end at once. */
  get forced(): boolean {
    return this.#forced;
  }

  get saidHello(): boolean {
    return this.#saidHello;
  }

  /** Aborted with StartCancelled as soon as it is asked to stop. */
  get startCancelled(): AbortSignal {
    return this.#cancelStart.signal;
  }

  /** Its process is there. */
  launched(process: AppProcess): void {
    this.#process = process;
    if (this.#pendingStop) this.#climb(process, this.#pendingStop);
  }

  /** Its process, and all that it started, is gone; `detail` says what happens until the slot is free. */
  exited(detail: string): void {
    this.#exited.abort();
    this.#process = null;
    const settingsPage = this.app.settingsPage ? 'waiting' : 'none';
    this.lease.update({ state: 'stopping', settingsPage, detail, until: null, alive: [] });
  }

  /** Climbs the ladder; asked again while climbing, the earlier kill of the two counts. Await `over` for the end. */
  stop(ladder: StopLadder, { forced = false } = {}): void {
    const isFirst = !this.#stopAsked;
    this.#stopAsked = true;
    this.#forced ||= forced;
    this.#cancelStart.abort(new StartCancelled(this.app.name));
    if (this.#exited.signal.aborted) return;
    if (isFirst) this.lease.update({ state: 'stopping', detail: 'Asked to stop.', until: null });
    if (this.#process) this.#climb(this.#process, ladder);
    else if (ladder.killMs < (this.#pendingStop?.killMs ?? Number.POSITIVE_INFINITY)) this.#pendingStop = ladder;
    if (isFirst) this.#stops.publish();
  }

  /** The slot is free, or another's. */
  finish(): void {
    this.#exited.abort();
    this.#settleOver();
  }

  /** Nothing is to follow it any more; who waits for that gets the reason. */
  cancelSuccessor(reason: (appName: string) => Error): void {
    this.successor?.started.reject(reason(this.successor.appName));
    this.successor = null;
  }

  /** Its SDK said hello. */
  hello(): void {
    this.#saidHello = true;
    this.lease.update({ sdk: 'connected', ...(this.#stopAsked ? {} : { state: 'running' }) });
  }

  /** Its SDK has fallen silent, or answers again. */
  heard(answers: boolean): void {
    this.lease.update({ sdk: answers ? 'connected' : 'silent' });
  }

  /** Nothing was heard of its SDK for as long as is usual. It need not have one. */
  helloIsLate(): void {
    if (!this.#saidHello && !this.#stopAsked) this.lease.update({ state: 'running', sdk: 'silent' });
  }

  /** Calls back when it is asked to stop. @returns a function that ends it */
  onStopAsked(listener: () => void): () => void {
    if (this.#stopAsked) listener();
    return this.#stops.subscribe(listener);
  }

  #climb(process: AppProcess, ladder: StopLadder): void {
    const isFirst = this.#killAtMs === Number.POSITIVE_INFINITY;
    this.#killAtMs = Math.min(this.#killAtMs, this.#now().getTime() + ladder.killMs);
    this.lease.update({ until: new Date(this.#killAtMs).toISOString() });
    process.stop(ladder);
    if (!isFirst) return;
    // What cannot be listed is not shown; the stop goes on all the same.
    watchAlive({
      look: () => process.alive(),
      onAlive: (alive) => this.lease.update({ alive }),
      signal: this.#exited.signal,
    }).catch(() => {});
  }
}
