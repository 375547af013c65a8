import { randomBytes } from 'node:crypto';
import type { AppSlotState, SettingsPagePresence, SlotHolder } from '../../contract/apps/app-slot.ts';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import type { CommandCaller } from '../../robot/command-caller.ts';
import { EventBus } from '../../shared/async/event-bus.ts';
import type { Clock } from '../../shared/clock.ts';
import type { AppLaunch, AppToStart } from '../installed/app-launch.ts';
import type { Lease } from './app-slot.ts';
import { AppAlreadyRunning, StartCancelled } from './errors.ts';
import type { AppProcess } from './process/app-process.ts';
import { watchAlive } from './process/run-processes.ts';
import { gracefulStop, reloadStop, type StopTimeouts } from './process/stop-timeouts.ts';
import type { StartedRun } from './started-run.ts';

/** The app that gets the slot once a run is over. */
interface Successor {
  readonly target: AppToStart;
  /** Whether its start may wake endpoints that cost money. */
  readonly wakePaid: boolean;
  /** Whether the robot stays where it is in between. */
  readonly inPlace?: boolean;
}

/** Gives the slot to a holder. */
export type Occupy = (holder: SlotHolder) => Lease;

/**
 * A run that holds the slot, from the request until its processes have ended and the robot is at its default position. Alone
 * it changes the state of the slot meanwhile; others report what has happened to the run.
 */
export class RunUnderWay {
  readonly id = randomBytes(8).toString('hex');
  /** Proves to the daemon that a program belongs to this run. */
  readonly token = randomBytes(16).toString('hex');
  readonly app: InstalledApp;
  /** The app as it was started. */
  readonly target: AppToStart;
  readonly launch: AppLaunch;
  /** Settles once the slot is free or passed on. */
  readonly over: Promise<void>;
  readonly #clock: Clock;
  readonly #lease: Lease;
  /** When its process started; until then, when it took the slot. */
  #startedAt: Date;
  #successor: (Successor & { readonly started: PromiseWithResolvers<AppSlotState> }) | null = null;
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

  constructor(run: { target: AppToStart; launch: AppLaunch; occupy: Occupy; clock: Clock }) {
    this.target = run.target;
    this.launch = run.launch;
    this.app = run.launch.app;
    this.#clock = run.clock;
    this.#startedAt = run.clock.now();
    this.#lease = run.occupy({ kind: 'managed-app', appName: this.app.name, runId: this.id });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.over = promise;
    this.#settleOver = resolve;
  }

  get stopAsked(): boolean {
    return this.#stopAsked;
  }

  /** Whether it was asked to stop, and has no successor. */
  get isStopping(): boolean {
    return this.#stopAsked && this.#successor === null;
  }

  /** Whether the robot stays where it is until the next run. */
  get staysInPlace(): boolean {
    return this.#successor?.inPlace === true;
  }

  /** Its identity, for its records. */
  get begun(): StartedRun {
    const { name, version } = this.app;
    return { runId: this.id, appName: name, version, startedAt: this.#startedAt.toISOString() };
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

  /** Shows a wait before the start in the slot. @returns shows a description of the wait */
  waits(limitMs: number): (detail: string) => void {
    const until = new Date(this.#clock.now().getTime() + limitMs).toISOString();
    return (detail) => this.#lease.update({ detail, until });
  }

  /** Its waits are over. The state of the slot counts from now on: the process starts. */
  waited(): void {
    this.#lease.update({ detail: null, until: null, since: this.#clock.now().toISOString() });
  }

  /** Its process has started. A stop that was requested meanwhile waits for `launched`. */
  started(): void {
    this.#startedAt = this.#clock.now();
  }

  /** Its process is followed. */
  launched(process: AppProcess): void {
    this.#process = process;
    if (this.#pendingStop) this.#escalate(process, this.#pendingStop);
  }

  /** Its processes have ended; `detail` says what happens until the slot is free. */
  exited(detail: string): void {
    this.#exited.abort();
    this.#process = null;
    const settingsPage = this.app.settingsPage ? 'waiting' : 'none';
    this.#lease.update({ state: 'stopping', settingsPage, detail, until: null, alive: [] });
  }

  /** Stops it step by step. A second call can only bring the kill forward. Await `over` for the end. */
  stop(timeouts: StopTimeouts, { forced = false } = {}): void {
    const isFirst = !this.#stopAsked;
    this.#stopAsked = true;
    this.#forced ||= forced;
    this.#cancelStart.abort(new StartCancelled(this.app.name));
    if (this.#exited.signal.aborted) return;
    if (isFirst) this.#lease.update({ state: 'stopping', detail: 'Asked to stop.', until: null });
    if (this.#process) this.#escalate(this.#process, timeouts);
    else if (timeouts.killMs < (this.#pendingStop?.killMs ?? Number.POSITIVE_INFINITY)) this.#pendingStop = timeouts;
    if (isFirst) this.#stops.publish();
  }

  /**
   * Stops it, and lets an app start in its place. A second call for the same app joins the first.
   * @throws AppAlreadyRunning when another app follows it already
   */
  replaceBy(successor: Successor): Promise<AppSlotState> {
    const { appName } = successor.target;
    const next = this.#successor?.target.appName ?? appName;
    if (next !== appName) throw new AppAlreadyRunning({ kind: 'managed-app', appName: next, runId: '' });
    this.#successor ??= { ...successor, started: Promise.withResolvers() };
    const { promise } = this.#successor.started;
    this.stop(successor.inPlace ? reloadStop : gracefulStop);
    return promise;
  }

  /** No app starts in its place; the start that was promised is rejected with the reason. */
  cancelSuccessor(reason: (appName: string) => Error): void {
    this.#successor?.started.reject(reason(this.#successor.target.appName));
    this.#successor = null;
  }

  /**
   * It is over: frees the slot, or passes it on.
   * @param ended its record; none if it was not started
   * @param startNext starts the app that replaces it
   */
  finish(ended: AppRun | undefined, startNext: (next: Successor, occupy: Occupy) => Promise<AppSlotState>): void {
    const next = this.#successor;
    const { folder } = this.launch;
    folder?.onOver({ run: ended ?? null, stopAsked: this.#stopAsked, goesOn: next?.target === this.target });
    // Rejects if the app was removed meanwhile.
    next?.started.resolve(startNext(next, (holder) => this.#lease.passTo(holder, ended)));
    this.#lease.release(ended); // no effect once it was passed on
    this.#exited.abort();
    this.#settleOver();
  }

  /** Whether a program belongs to it, by its token or as one of its processes. */
  async has({ runToken, isOneOf }: CommandCaller): Promise<boolean> {
    return runToken === this.token || ((await this.#process?.some(isOneOf)) ?? false);
  }

  /** Its SDK said hello. */
  hello(): void {
    this.#saidHello = true;
    this.#lease.update({ sdk: 'connected' });
    this.isKnownToRun();
  }

  /** Its settings page was looked at. */
  pageIs(settingsPage: SettingsPagePresence): void {
    // Another program that has the port may answer too late for one look, and has it still.
    if (settingsPage !== 'waiting') this.#isPortTaken = settingsPage === 'port-taken';
    this.#lease.update({ settingsPage });
    if (settingsPage === 'answers') this.isKnownToRun();
  }

  /** The port of its own page; null: it has none, or another program has the port. */
  get pagePort(): number | null {
    return this.#isPortTaken ? null : (this.app.settingsPage?.port ?? null);
  }

  /** Its SDK stopped answering, or answers again. */
  setSdkAnswering(answers: boolean): void {
    this.#lease.update({ sdk: answers ? 'connected' : 'silent' });
  }

  /** Its SDK did not say hello in time. It still loads, unless it is known to run. */
  helloTimedOut(): void {
    if (this.#saidHello || this.#stopAsked) return;
    this.#isLate = true;
    this.#lease.update({ sdk: 'silent' });
    this.#showLoading();
  }

  /** It loads a package, while it does not run yet. */
  loads(packageName: string): void {
    this.#loading = packageName;
    this.#showLoading();
  }

  #showLoading(): void {
    if (!this.#isLate || this.#running.signal.aborted || this.#stopAsked) return;
    this.#lease.update({ detail: this.#loading === null ? 'Still loading.' : `Still loading, now ${this.#loading}.` });
  }

  /** It is known to run from now on. */
  isKnownToRun(): void {
    if (this.#running.signal.aborted) return;
    this.#running.abort();
    if (!this.#stopAsked) this.#lease.update({ state: 'running', detail: null });
  }

  /** Calls `listener` when it is asked to stop. @returns a function that unsubscribes */
  onStopAsked(listener: () => void): () => void {
    if (this.#stopAsked) listener();
    return this.#stops.subscribe(listener);
  }

  #escalate(process: AppProcess, timeouts: StopTimeouts): void {
    const isFirst = this.#killAtMs === Number.POSITIVE_INFINITY;
    this.#killAtMs = Math.min(this.#killAtMs, this.#clock.now().getTime() + timeouts.killMs);
    this.#lease.update({ until: new Date(this.#killAtMs).toISOString() });
    process.stop(timeouts);
    if (!isFirst) return;
    // The stop continues even if the processes cannot be listed.
    watchAlive({
      clock: this.#clock,
      list: () => process.alive(),
      onAlive: (alive) => this.#lease.update({ alive }),
      signal: this.#exited.signal,
    }).catch(() => {});
  }
}
