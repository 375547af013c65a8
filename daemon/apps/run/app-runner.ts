import type { AppSlotState, SlotHolder } from '../../contract/apps/app-slot.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import { within } from '../../shared/async/within.ts';
import type { Now } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { ShuttingDown } from '../../shared/shutting-down.ts';
import type { AppLaunch } from '../installed/installed-apps.ts';
import type { AppOutput } from './app-output.ts';
import { type AppProcess, forcedStop, politeStop, type StopLadder } from './app-process.ts';
import type { AppSlot, Lease } from './app-slot.ts';
import type { AppEnvironment, AppVariables } from './app-variables.ts';
import { AppAlreadyRunning, NoAppRunning, NotOurApp, StartCancelled } from './errors.ts';
import { READY_MS, type RunRobot, robotBackToDefault, robotReady } from './robot-for-runs.ts';
import type { RunHistory } from './run-history.ts';
import { launchRun } from './run-launch.ts';
import { watchPageOfRun } from './run-page.ts';
import { recordOf } from './run-record.ts';
import { RunUnderWay } from './run-under-way.ts';

export interface AppRunnerDeps {
  /** @throws AppNotInstalled */
  readonly findApp: (name: string) => AppLaunch;
  readonly slot: AppSlot;
  readonly output: AppOutput;
  readonly history: RunHistory;
  readonly variables: Pick<AppVariables, 'environment'>;
  readonly robot: RunRobot;
  /** Hears of every run that ended, while it still has the slot. */
  readonly onRunEnded: (run: AppRun) => void | Promise<void>;
  readonly childEnvironment: () => Record<string, string>;
  readonly daemonUrl: () => string;
  readonly sdkVersion: () => string;
  readonly now: Now;
  readonly log: Logger;
}

/** How long after its start an app's SDK may take to say hello before the slot says `silent`. */
const HELLO_MS = 10_000;
/** How long a run that has ended waits for who hears of it. */
const HEARD_MS = 5_000;
/** The last lines of a crashed app's output that are searched for the reason. */
const DIAGNOSED_LINES = 200;

/** Runs the one user-written app, and leaves the robot in its default position afterwards. */
export class AppRunner {
  readonly #deps: AppRunnerDeps;
  #run: RunUnderWay | null = null;
  #shuttingDown = false;

  constructor(deps: AppRunnerDeps) {
    this.#deps = deps;
  }

  /**
   * Starts an installed app; settles as soon as its process is there.
   * @param options.replace stops the app that runs first; nothing else can take its place between the two
   * @throws AppNotInstalled, AppAlreadyRunning, NotOurApp, StartCancelled, AppNotStartable, VariablesDamaged,
   * VariableUnreadable, RobotUnavailable, ShuttingDown
   */
  async start(name: string, { replace = false }: { replace?: boolean } = {}): Promise<AppSlotState> {
    if (this.#shuttingDown) throw new ShuttingDown();
    const { findApp, slot } = this.#deps;
    const launch = findApp(name);
    if (!replace || slot.state.state === 'free') return this.#begin(launch, (holder) => slot.take(holder));
    const run = this.#ours();
    if (!isStopping(run)) return this.#startAfter(run, name);
    await run.over;
    return this.start(name); // who asked for that stop has seen the slot free
  }

  /**
   * Stops the running app, then starts it again; settles as `start` does.
   * @throws NoAppRunning, NotOurApp, AppAlreadyRunning, and what `start` throws; StartCancelled by a stop
   */
  async restart(): Promise<AppSlotState> {
    if (this.#shuttingDown) throw new ShuttingDown();
    const run = this.#ours();
    if (isStopping(run)) throw new StartCancelled(run.app.name);
    return this.#startAfter(run, run.app.name);
  }

  /**
   * Stops the running app; settles once the slot is free. A second stop joins the first, a forced one hurries it.
   * @throws NoAppRunning, NotOurApp
   */
  async stop({ force = false }: { force?: boolean } = {}): Promise<AppSlotState> {
    const run = this.#ours();
    run.cancelSuccessor((appName) => new StartCancelled(appName));
    run.stop(force ? forcedStop : politeStop, { forced: force });
    await run.over;
    return this.#deps.slot.state;
  }

  /** For the daemon's own end: stops what runs within the ladder, where anything runs, and starts nothing more. */
  async shutDown(ladder: StopLadder): Promise<void> {
    this.#shuttingDown = true;
    const run = this.#run;
    run?.cancelSuccessor(() => new ShuttingDown());
    run?.stop(ladder);
    await run?.over;
  }

  /** The running app's SDK said hello with its token. @returns false when it is not the running app's */
  connected(token: string): boolean {
    if (!this.isRunning(token)) return false;
    this.#run?.hello();
    return true;
  }

  /** The running app's SDK has fallen silent, or answers again. */
  heard(token: string, answers: boolean): void {
    if (this.isRunning(token)) this.#run?.heard(answers);
  }

  /** Whether a run token is that of the run that holds the slot. */
  isRunning(token: string): boolean {
    return this.#run?.token === token;
  }

  /** Calls back when the running app is asked to stop. @returns a function that ends it */
  onStopAsked(token: string, listener: () => void): () => void {
    return (this.isRunning(token) && this.#run?.onStopAsked(listener)) || (() => {});
  }

  /** The run that holds the slot. @throws NoAppRunning, NotOurApp */
  #ours(): RunUnderWay {
    const { state } = this.#deps.slot;
    if (state.state !== 'free' && state.holder.kind !== 'managed-app') throw new NotOurApp(state.holder.name);
    if (!this.#run) throw new NoAppRunning();
    return this.#run;
  }

  /** Stops a run and starts an app in its place. Asked for the same again, it joins the first call. */
  #startAfter(run: RunUnderWay, appName: string): Promise<AppSlotState> {
    if (run.successor && run.successor.appName !== appName) {
      throw new AppAlreadyRunning({ kind: 'managed-app', appName: run.successor.appName, runId: '' });
    }
    run.successor ??= { appName, started: Promise.withResolvers() };
    const { promise } = run.successor.started;
    run.stop(politeStop);
    return promise;
  }

  async #begin(launch: AppLaunch, occupy: (holder: SlotHolder) => Lease): Promise<AppSlotState> {
    const { slot, output, history, variables, now, log } = this.#deps;
    const { name, version } = launch.app;
    const run = new RunUnderWay({ app: launch.app, occupy, now });
    this.#run = run;
    output.begin(run.id, name);
    let process: AppProcess;
    try {
      const environment = await variables.environment(name);
      await this.#robotReady(run);
      run.startCancelled.throwIfAborted();
      process = await this.#launch(run, launch, environment);
    } catch (error) {
      this.#end(run);
      throw error;
    }
    history.begin({ runId: run.id, appName: name, version, startedAt: run.startedAt.toISOString() });
    log.info(`apps: started ${name} (run ${run.id}, process ${process.pid})`);
    void this.#attend(run, process).catch((error: unknown) => {
      log.error(`apps: the end of ${name} could not be followed`, error);
      this.#end(run);
    });
    run.launched(process);
    return slot.state;
  }

  /** Waits for the robot, visibly. */
  async #robotReady(run: RunUnderWay): Promise<void> {
    const { robot, now } = this.#deps;
    const until = new Date(now().getTime() + READY_MS).toISOString();
    const onWait = (detail: string) => run.lease.update({ detail, until });
    await robotReady(robot, { signal: run.startCancelled, onWait });
    run.lease.update({ detail: null, until: null });
  }

  #launch(run: RunUnderWay, { python, workDir }: AppLaunch, variables: AppEnvironment): Promise<AppProcess> {
    const { childEnvironment, daemonUrl, output, history } = this.#deps;
    return launchRun(run, {
      python,
      workDir,
      environment: childEnvironment(),
      variables,
      daemonUrl: daemonUrl(),
      onLine: (...line) => {
        output.append(...line);
        history.wrote();
      },
    });
  }

  /** Follows a run to its end, whatever that is, and makes room for the next. */
  async #attend(run: RunUnderWay, process: AppProcess): Promise<void> {
    const { output, robot, history, sdkVersion, now, log } = this.#deps;
    const silent = setTimeout(() => run.helloIsLate(), HELLO_MS);
    const endWatch = watchPageOfRun(run, log);
    const exit = await process.exited;
    clearTimeout(silent);
    endWatch();
    output.flush();
    const lines = output.newest(DIAGNOSED_LINES);
    const robotLost = !robot.state.connected;
    const ended = recordOf(run, { exit, endedAt: now(), lines, sdkVersion: sdkVersion(), robotLost });
    log.info(`apps: ${run.app.name} ended: ${ended.message}`);
    run.exited(`${ended.message} Returning the robot to its default position.`);
    await Promise.all([robotBackToDefault(robot, log), history.end(ended), this.#tellEnded(ended)]);
    this.#end(run, ended);
  }

  async #tellEnded(run: AppRun): Promise<void> {
    const { onRunEnded, log } = this.#deps;
    try {
      if (!(await within(HEARD_MS, Promise.resolve(onRunEnded(run)))))
        log.warn(`apps: run ${run.runId} is still judged`);
    } catch (error) {
      log.error(`apps: run ${run.runId} could not be judged`, error);
    }
  }

  /** Frees the slot, or hands it to the app that is to follow. */
  #end(run: RunUnderWay, ended?: AppRun): void {
    const { successor } = run;
    this.#run = null;
    try {
      if (successor) {
        const launch = this.#deps.findApp(successor.appName);
        successor.started.resolve(this.#begin(launch, (holder) => run.lease.passTo(holder, ended)));
      }
    } catch (error) {
      successor?.started.reject(error); // it was removed meanwhile
    }
    run.lease.release(ended); // of no effect once it is handed on
    run.finish();
  }
}

/** Whether somebody wants it to stop, and nothing to follow. */
function isStopping(run: RunUnderWay): boolean {
  return run.stopAsked && run.successor === null;
}
