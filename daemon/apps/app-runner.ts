import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { AppRun, AppSlotState, InstalledApp } from '../contract/apps.ts';
import type { Now } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import { processesWithEnvironment } from '../shared/processes.ts';
import { ShuttingDown } from '../shared/shutting-down.ts';
import type { AppOutput } from './app-output.ts';
import {
  type AppExit,
  AppProcess,
  forcedStop,
  politeStop,
  RUN_TOKEN_VARIABLE,
  type StopLadder,
} from './app-process.ts';
import type { AppSlot, Lease } from './app-slot.ts';
import { AppNotStartable, NoAppRunning, NotOurApp, StartCancelled } from './errors.ts';
import { type RunRobot, robotBackToDefault, robotReady } from './robot-for-runs.ts';
import { describeRun } from './run-outcome.ts';
import { watchSettingsPage } from './settings-page.ts';

/** How an installed app is launched. */
export interface AppLaunch {
  readonly app: InstalledApp;
  readonly python: string;
  /** Where it runs; its own, kept over updates. */
  readonly workDir: string;
}

export interface AppRunnerDeps {
  /** @throws AppNotInstalled */
  readonly findApp: (name: string) => AppLaunch;
  readonly slot: AppSlot;
  readonly output: AppOutput;
  readonly robot: RunRobot;
  readonly childEnvironment: () => Record<string, string>;
  readonly daemonUrl: () => string;
  readonly now: Now;
  readonly log: Logger;
}

/** How long after its start an app's SDK may take to say hello before the slot says `silent`. */
const HELLO_MS = 10_000;

/** What is known of the run that holds the slot. */
interface Run {
  readonly id: string;
  readonly token: string;
  readonly app: InstalledApp;
  readonly lease: Lease;
  readonly startedAt: Date;
  readonly cancelStart: AbortController;
  readonly stopListeners: Set<() => void>;
  process: AppProcess | null;
  stopAsked: boolean;
  /** Asked for before there was a process to climb it. */
  pendingStop: StopLadder | null;
  forced: boolean;
  saidHello: boolean;
  /** Settles once the slot is free again. */
  readonly over: Promise<void>;
  readonly finish: () => void;
}

/** Runs the one user-written app, and leaves the robot in its default position afterwards. */
export class AppRunner {
  readonly #deps: AppRunnerDeps;
  #run: Run | null = null;
  #shuttingDown = false;

  constructor(deps: AppRunnerDeps) {
    this.#deps = deps;
  }

  /**
   * Starts an installed app; settles as soon as its process is there.
   * @throws AppNotInstalled, AppAlreadyRunning, StartCancelled, AppNotStartable, RobotUnavailable, ShuttingDown
   */
  async start(name: string): Promise<AppSlotState> {
    if (this.#shuttingDown) throw new ShuttingDown();
    const { findApp, slot, output, now, log } = this.#deps;
    const launch = findApp(name);
    const id = randomBytes(8).toString('hex');
    const lease = slot.take({ kind: 'managed-app', appName: launch.app.name, runId: id });
    const { promise: over, resolve: finish } = Promise.withResolvers<void>();
    const run: Run = {
      id,
      token: randomBytes(16).toString('hex'),
      app: launch.app,
      lease,
      startedAt: now(),
      cancelStart: new AbortController(),
      stopListeners: new Set(),
      process: null,
      stopAsked: false,
      pendingStop: null,
      forced: false,
      saidHello: false,
      over,
      finish,
    };
    this.#run = run;
    output.begin(id, launch.app.name);
    try {
      await this.#robotReady(run);
      run.process = await this.#launch(run, launch);
    } catch (error) {
      this.#free(run);
      throw error;
    }
    log.info(`apps: started ${name} (run ${id}, process ${run.process.pid})`);
    void this.#attend(run, run.process).catch((error: unknown) => {
      log.error(`apps: the end of ${name} could not be followed`, error);
      this.#free(run);
    });
    if (run.pendingStop) run.process.stop(run.pendingStop);
    return slot.state;
  }

  /**
   * Stops the running app; settles once the slot is free. A second stop joins the first, a forced one hurries it.
   * @throws NoAppRunning, NotOurApp
   */
  async stop({ force = false }: { force?: boolean } = {}): Promise<AppSlotState> {
    const state = this.#deps.slot.state;
    if (state.state === 'free') throw new NoAppRunning();
    if (state.holder.kind !== 'managed-app') throw new NotOurApp(state.holder.name);
    if (this.#run) {
      this.#run.forced ||= force;
      await this.#stop(this.#run, force ? forcedStop : politeStop);
    }
    return this.#deps.slot.state;
  }

  /** For the daemon's own end: stops what runs within the ladder, where anything runs, and starts nothing more. */
  async shutDown(ladder: StopLadder): Promise<void> {
    this.#shuttingDown = true;
    if (this.#run) await this.#stop(this.#run, ladder);
  }

  /** The running app's SDK said hello with its token. @returns false when it is not the running app's */
  connected(token: string): boolean {
    const run = this.#run;
    if (!run || run.token !== token) return false;
    run.saidHello = true;
    run.lease.update({ sdk: 'connected', ...(run.stopAsked ? {} : { state: 'running' }) });
    return true;
  }

  /** The running app's SDK has fallen silent, or answers again. */
  heard(token: string, answers: boolean): void {
    if (this.#run?.token === token) this.#run.lease.update({ sdk: answers ? 'connected' : 'silent' });
  }

  /** Whether a run token is that of the run that holds the slot. */
  isRunning(token: string): boolean {
    return this.#run?.token === token;
  }

  /** Calls back when the running app is asked to stop. @returns a function that ends it */
  onStopAsked(token: string, listener: () => void): () => void {
    const run = this.#run;
    if (run?.token !== token) return () => {};
    if (run.stopAsked) listener();
    else run.stopListeners.add(listener);
    return () => void run.stopListeners.delete(listener);
  }

  async #stop(run: Run, ladder: StopLadder): Promise<void> {
    const first = !run.stopAsked;
    run.stopAsked = true;
    run.cancelStart.abort(new StartCancelled(run.app.name));
    if (run.process) run.process.stop(ladder);
    else run.pendingStop = ladder;
    if (first) {
      run.lease.update({ state: 'stopping', detail: 'Asked to stop.' });
      for (const listener of run.stopListeners) listener();
    }
    await run.over;
  }

  /** Waits for the robot, visibly. */
  async #robotReady(run: Run): Promise<void> {
    const { robot } = this.#deps;
    if (robot.state.state === 'awake' && robot.state.torque) return;
    run.lease.update({ detail: 'Waiting for the robot to wake up.' });
    await robotReady(robot, run.cancelStart.signal);
    run.lease.update({ detail: null });
  }

  async #launch(run: Run, { python, workDir }: AppLaunch): Promise<AppProcess> {
    const { childEnvironment, daemonUrl, output } = this.#deps;
    if (run.stopAsked) throw new StartCancelled(run.app.name);
    try {
      await mkdir(workDir, { recursive: true });
      return await AppProcess.start({
        file: python,
        args: ['-u', '-m', run.app.module],
        cwd: workDir,
        env: {
          ...childEnvironment(),
          [RUN_TOKEN_VARIABLE]: run.token,
          ROBOT_DAEMON_URL: daemonUrl(),
          ROBOT_APP_NAME: run.app.name,
        },
        onLine: (stream, text, truncated) => output.append(stream, text, truncated),
      });
    } catch (error) {
      throw new AppNotStartable(run.app.name, error as Error);
    }
  }

  /** Follows a run to its end, whatever that is, and frees the slot. */
  async #attend(run: Run, process: AppProcess): Promise<void> {
    const silent = setTimeout(() => {
      if (!run.saidHello && !run.stopAsked) run.lease.update({ state: 'running', sdk: 'silent' });
    }, HELLO_MS);
    const endWatch = this.#watchSettingsPage(run);
    const exit = await process.exited;
    clearTimeout(silent);
    endWatch();
    const ended = this.#describe(run, exit);
    this.#deps.log.info(`apps: ${run.app.name} ended: ${ended.message}`);
    run.lease.update({
      state: 'stopping',
      settingsPage: run.app.settingsPage ? 'waiting' : 'none',
      detail: `${ended.message} Returning the robot to its default position.`,
    });
    await robotBackToDefault(this.#deps.robot, this.#deps.log);
    this.#free(run, ended);
  }

  #describe(run: Run, exit: AppExit): AppRun {
    const { output, now } = this.#deps;
    output.flush();
    return {
      runId: run.id,
      appName: run.app.name,
      startedAt: run.startedAt.toISOString(),
      endedAt: now().toISOString(),
      exitCode: exit.code,
      signal: exit.signal,
      ...describeRun({
        exit,
        stopAsked: run.stopAsked,
        forced: run.forced,
        lastedMs: now().getTime() - run.startedAt.getTime(),
        saidHello: run.saidHello,
        wroteNothing: output.page().last === 0,
        lastErrors: output.tail(20, 'stderr'),
      }),
    };
  }

  /** Follows the app's own page until the returned function is called. */
  #watchSettingsPage({ app, token, lease }: Run): () => void {
    const page = app.settingsPage;
    if (!page) return () => {};
    const ended = new AbortController();
    const isOfRun = async (pid: number) => (await processesWithEnvironment(RUN_TOKEN_VARIABLE, token)).includes(pid);
    lease.update({ settingsPage: 'waiting' });
    watchSettingsPage({
      page,
      isOfRun,
      onChange: (settingsPage) => lease.update({ settingsPage }),
      signal: ended.signal,
    }).catch((error: unknown) => this.#deps.log.error(`apps: the page of ${app.name} could not be watched`, error));
    return () => ended.abort();
  }

  #free(run: Run, ended?: AppRun): void {
    this.#run = null;
    run.lease.release(ended);
    run.finish();
  }
}
