import { randomBytes } from 'node:crypto';
import type { AppSlotState, SettingsPagePresence, SlotHolder } from '../../contract/apps/app-slot.ts';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { CommandCaller } from '../../robot/command-caller.ts';
import { EventBus } from '../../shared/async/event-bus.ts';
import type { Clock } from '../../shared/clock.ts';
import type { AppLaunch, Startable } from '../installed/app-launch.ts';
import type { Lease } from './app-slot.ts';
import { StartCancelled } from './errors.ts';
import type { AppProcess } from './process/app-process.ts';
import { watchAlive } from './process/run-processes.ts';
import type { StopTimeouts } from './process/stop-timeouts.ts';

/** The app that gets the slot once this run is over, and the promise of its start. */
interface Successor {
  readonly startable: Startable;
  /** Whether the robot stays where it is in between. */
  readonly inPlace: boolean;
  /** Whether its start may wake endpoints that cost money. */
  readonly wakePaid: boolean;
  readonly started: PromiseWithResolvers<AppSlotState>;
}

/**
 * A run that holds the slot, from the request until its processes have ended and the robot is at its default position.
 */
export class RunUnderWay {
  readonly id = randomBytes(8).toString('hex');
  /** Proves to the daemon that a program belongs to this run. */
  readonly token = randomBytes(16).toString('hex');
  readonly app: InstalledApp;
  /** The app as it was started. */
  readonly startable: Startable;
  readonly launch: AppLaunch;
  readonly lease: Lease;
  /** When its process started; until then, when it took the slot. */
  startedAt: Date;
  /** Settles once the slot is free or passed on. */
  readonly over: Promise<void>;
  successor: Successor | null = null;
  readonly #clock: Clock;
  readonly #settleOver: () => void;
  readonly #cancelStart = new AbortController();
  readonly #exited = new AbortController();
  readonly #stops = new EventBus<void>();
  #process: AppProcess | null = null;
  /** A stop that was requested before the process had started. */
  #pendingStop: StopTimeouts | null = null;
  #killAtMs = Number.POSITIVE_INFINITY;
  #stopAsked = false;
  #forced = false;
  #saidHello = false;
  /** Whether it was given the time to say hello. */
  #isLate = false;
  /** The package that it loads, as far as known. */
  #loading: string | null = null;
  #isPortTaken = false;
  /** Aborted once it is known to run: its SDK said hello, its settings page answered, or it commanded the robot. */
  readonly #running = new AbortController();

  /** @param run.occupy gives the slot to a holder */
  constructor(run: {
    startable: Startable;
    launch: AppLaunch;
    occupy: (holder: SlotHolder) => Lease;
    clock: Clock;
  }) {
    this.startable = run.startable;
    this.launch = run.launch;
    this.app = run.launch.app;
    this.#clock = run.clock;
    this.startedAt = run.clock.now();
    this.lease = run.occupy({ kind: 'managed-app', appName: this.app.name, runId: this.id });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.over = promise;
    this.#settleOver = resolve;
  }

  get stopAsked(): boolean {
    return this.#stopAsked;
  }

  /** Whether it was asked to stop, and has no successor. */
  get isStopping(): boolean {
    return this.#stopAsked && this.successor === null;
  }

  /** Whether a forced stop was requested. */
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

  /** Aborted once its processes have ended, or its start has failed. */
  get ended(): AbortSignal {
    return this.#exited.signal;
  }

  /** Aborted once it is known to run, is asked to stop or has ended. */
  get known(): AbortSignal {
    return AbortSignal.any([this.#running.signal, this.#cancelStart.signal, this.#exited.signal]);
  }

  /** Its process has started. */
  launched(process: AppProcess): void {
    this.#process = process;
    if (this.#pendingStop) this.#escalate(process, this.#pendingStop);
  }

  /** Its processes have ended; `detail` says what happens until the slot is free. */
  exited(detail: string): void {
    this.#exited.abort();
    this.#process = null;
    const settingsPage = this.app.settingsPage ? 'waiting' : 'none';
    this.lease.update({ state: 'stopping', settingsPage, detail, until: null, alive: [] });
  }

  /** Stops it step by step. A second call can only bring the kill forward. Await `over` for the end. */
  stop(timeouts: StopTimeouts, { forced = false } = {}): void {
    const isFirst = !this.#stopAsked;
    this.#stopAsked = true;
    this.#forced ||= forced;
    this.#cancelStart.abort(new StartCancelled(this.app.name));
    if (this.#exited.signal.aborted) return;
    if (isFirst) this.lease.update({ state: 'stopping', detail: 'Asked to stop.', until: null });
    if (this.#process) this.#escalate(this.#process, timeouts);
    else if (timeouts.killMs < (this.#pendingStop?.killMs ?? Number.POSITIVE_INFINITY)) this.#pendingStop = timeouts;
    if (isFirst) this.#stops.publish();
  }

  /** The slot is free or passed on. */
  finish(): void {
    this.#exited.abort();
    this.#settleOver();
  }

  /** Removes the successor and rejects the promise of its start with the reason. */
  cancelSuccessor(reason: (appName: string) => Error): void {
    this.successor?.started.reject(reason(this.successor.startable.appName));
    this.successor = null;
  }

  /** Whether a program belongs to it, by its token or as one of its processes. */
  async has({ runToken, isOneOf }: CommandCaller): Promise<boolean> {
    return runToken === this.token || ((await this.#process?.some(isOneOf)) ?? false);
  }

  /** Its SDK said hello. */
  hello(): void {
    this.#saidHello = true;
    this.lease.update({ sdk: 'connected' });
    this.isKnownToRun();
  }

  /** Its settings page was looked at. */
  pageIs(settingsPage: SettingsPagePresence): void {
    // Another program that has the port may answer too late for one look, and has it still.
    if (settingsPage !== 'waiting') this.#isPortTaken = settingsPage === 'port-taken';
    this.lease.update({ settingsPage });
    if (settingsPage === 'answers') this.isKnownToRun();
  }

  /** The port of its own page; null: it has none, or another program has the port. */
  get pagePort(): number | null {
    return this.#isPortTaken ? null : (this.app.settingsPage?.port ?? null);
  }

  /** Its SDK stopped answering, or answers again. */
  setSdkAnswering(answers: boolean): void {
    this.lease.update({ sdk: answers ? 'connected' : 'silent' });
  }

  /** Its SDK did not say hello in time. It still loads, unless it is known to run. */
  helloTimedOut(): void {
    if (this.#saidHello || this.#stopAsked) return;
    this.#isLate = true;
    this.lease.update({ sdk: 'silent' });
    this.#showLoading();
  }

  /** It loads a package, while it does not run yet. */
  loads(packageName: string): void {
    this.#loading = packageName;
    this.#showLoading();
  }

  #showLoading(): void {
    if (!this.#isLate || this.#running.signal.aborted || this.#stopAsked) return;
    this.lease.update({ detail: this.#loading === null ? 'Still loading.' : `Still loading, now ${this.#loading}.` });
  }

  /** It is known to run from now on. */
  isKnownToRun(): void {
    if (this.#running.signal.aborted) return;
    this.#running.abort();
    if (!this.#stopAsked) this.lease.update({ state: 'running', detail: null });
  }

  /** Calls `listener` when it is asked to stop. @returns a function that unsubscribes */
  onStopAsked(listener: () => void): () => void {
    if (this.#stopAsked) listener();
    return this.#stops.subscribe(listener);
  }

  #escalate(process: AppProcess, timeouts: StopTimeouts): void {
    const isFirst = this.#killAtMs === Number.POSITIVE_INFINITY;
    this.#killAtMs = Math.min(this.#killAtMs, this.#clock.now().getTime() + timeouts.killMs);
    this.lease.update({ until: new Date(this.#killAtMs).toISOString() });
    process.stop(timeouts);
    if (!isFirst) return;
    // The stop continues even if the processes cannot be listed.
    watchAlive({
      clock: this.#clock,
      list: () => process.alive(),
      onAlive: (alive) => this.lease.update({ alive }),
      signal: this.#exited.signal,
    }).catch(() => {});
  }
}
