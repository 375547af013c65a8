import type { AppSlotState, SlotHolder } from '../../contract/apps/app-slot.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import { settlesWithin } from '../../shared/async/settles-within.ts';
import type { Now } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { ShuttingDown } from '../../shared/shutting-down.ts';
import type { AppLaunch } from '../installed/installed-apps.ts';
import type { AppProcess } from './app-process.ts';
import type { AppSlot, Lease } from './app-slot.ts';
import type { AppEnvironment, AppVariables } from './app-variables.ts';
import { AppAlreadyRunning, NoAppRunning, NotOurApp, StartCancelled } from './errors.ts';
import type { AppOutput } from './output/app-output.ts';
import { READY_MS, type RunRobot, robotBackToDefault, robotReady } from './robot-for-runs.ts';
import type { RunHistory } from './run-history.ts';
import { launchRun } from './run-launch.ts';
import { recordOf } from './run-record.ts';
import { RunUnderWay } from './run-under-way.ts';
import { forcedStop, gracefulStop, type StopTimeouts } from './stop-timeouts.ts';
import { watchSettingsPageOfRun } from './watch-settings-page.ts';

export interface AppRunnerDeps {
  /** @throws AppNotInstalled */
  readonly findApp: (name: string) => AppLaunch;
  readonly slot: AppSlot;
  readonly output: AppOutput;
  readonly history: RunHistory;
  readonly variables: Pick<AppVariables, 'environment'>;
  readonly robot: RunRobot;
  /** Called for every run that ended, while it still holds the slot. */
  readonly onRunEnded: (run: AppRun) => void | Promise<void>;
  /** A process that cannot be recorded would outlive a killed daemon. @throws StorageError when nothing can be saved */
  readonly requireRoom: () => Promise<void>;
  readonly childEnvironment: () => Record<string, string>;
  readonly daemonUrl: () => string;
  readonly sdkVersion: () => string;
  readonly now: Now;
  readonly log: Logger;
}

/** The SDK of an app says hello within this time after the start, or the slot says `silent`. */
const HELLO_MS = 10_000;
/** Time limit of `onRunEnded`. */
const RUN_ENDED_MS = 5_000;
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
   * Starts an installed app; settles as soon as its process has started.
   * @param options.replace stops the running app first; no other app can take the slot in between
   * @throws AppNotInstalled, AppAlreadyRunning, NotOurApp, StartCancelled, AppNotStartable, VariablesDamaged,
   * VariablesUnreadable, RobotUnavailable, StorageError, ShuttingDown
   */
  async start(name: string, { replace = false }: { replace?: boolean } = {}): Promise<AppSlotState> {
    const { findApp, slot, requireRoom } = this.#deps;
    if (replace && slot.state.state !== 'free') await requireRoom(); // before the running app is stopped
    if (this.#shuttingDown) throw new ShuttingDown();
    const launch = findApp(name);
    if (!replace || slot.state.state === 'free') return this.#begin(launch, (holder) => slot.take(holder));
    const run = this.#managedRun();
    if (!isStopping(run)) return this.#startAfter(run, name);
    await run.over;
    return this.start(name); // the caller of that stop has seen the slot free
  }

  /**
   * Stops the running app, then starts it again; settles as `start` does.
   * @throws NoAppRunning, NotOurApp, AppAlreadyRunning, and the errors of `start`; StartCancelled by a stop
   */
  async restart(): Promise<AppSlotState> {
    this.#managedRun();
    await this.#deps.requireRoom(); // before it is stopped
    if (this.#shuttingDown) throw new ShuttingDown();
    const run = this.#managedRun();
    if (isStopping(run)) throw new StartCancelled(run.app.name);
    return this.#startAfter(run, run.app.name);
  }

  /**
   * Stops the running app; settles once the slot is free. A second stop joins the first; a forced one brings the kill
   * forward.
   * @throws NoAppRunning, NotOurApp
   */
  async stop({ force = false }: { force?: boolean } = {}): Promise<AppSlotState> {
    const run = this.#managedRun();
    run.cancelSuccessor((appName) => new StartCancelled(appName));
    run.stop(force ? forcedStop : gracefulStop, { forced: force });
    await run.over;
    return this.#deps.slot.state;
  }

  /** For the daemon's shutdown: stops the running app, if any, and refuses new starts. */
  async shutDown(timeouts: StopTimeouts): Promise<void> {
    this.#shuttingDown = true;
    const run = this.#run;
    run?.cancelSuccessor(() => new ShuttingDown());
    run?.stop(timeouts);
    await run?.over;
  }

  /** The running app's SDK said hello. @returns false when the token is not that of the running app */
  connected(token: string): boolean {
    if (!this.isRunning(token)) return false;
    this.#run?.hello();
    return true;
  }

  /** The running app's SDK stopped answering, or answers again. */
  setSdkAnswering(token: string, answers: boolean): void {
    if (this.isRunning(token)) this.#run?.setSdkAnswering(answers);
  }

  /** Whether the token is that of the run that holds the slot. */
  isRunning(token: string): boolean {
    return this.#run?.token === token;
  }

  /** Calls `listener` when the running app is asked to stop. @returns a function that unsubscribes */
  onStopAsked(token: string, listener: () => void): () => void {
    return (this.isRunning(token) && this.#run?.onStopAsked(listener)) || (() => {});
  }

  /** The run that holds the slot. @throws NoAppRunning, NotOurApp */
  #managedRun(): RunUnderWay {
    const { state } = this.#deps.slot;
    if (state.state !== 'free' && state.holder.kind !== 'managed-app') throw new NotOurApp(state.holder.name);
    if (!this.#run) throw new NoAppRunning();
    return this.#run;
  }

  /** Stops a run and starts an app in its place. A second call for the same app joins the first. */
  #startAfter(run: RunUnderWay, appName: string): Promise<AppSlotState> {
    if (run.successor && run.successor.appName !== appName) {
      throw new AppAlreadyRunning({ kind: 'managed-app', appName: run.successor.appName, runId: '' });
    }
    run.successor ??= { appName, started: Promise.withResolvers() };
    const { promise } = run.successor.started;
    run.stop(gracefulStop);
    return promise;
  }

  async #begin(launch: AppLaunch, occupy: (holder: SlotHolder) => Lease): Promise<AppSlotState> {
    const { slot, output, history, variables, requireRoom, now, log } = this.#deps;
    const { name, version } = launch.app;
    const run = new RunUnderWay({ app: launch.app, occupy, now });
    this.#run = run;
    output.begin(run.id, name);
    let process: AppProcess;
    try {
      await requireRoom();
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
    void this.#followToEnd(run, process).catch((error: unknown) => {
      log.error(`apps: the end of ${name} could not be followed`, error);
      this.#end(run);
    });
    run.launched(process);
    return slot.state;
  }

  /** Waits for the robot, and shows it in the slot. */
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
        history.outputChanged();
      },
    });
  }

  /** Waits for the end of a run, records it and frees the slot. */
  async #followToEnd(run: RunUnderWay, process: AppProcess): Promise<void> {
    const { output, robot, history, sdkVersion, now, log } = this.#deps;
    const silent = setTimeout(() => run.helloTimedOut(), HELLO_MS);
    const endWatch = watchSettingsPageOfRun(run, log);
    const exit = await process.exited;
    clearTimeout(silent);
    endWatch();
    output.flush();
    const lines = output.newest(DIAGNOSED_LINES);
    const robotLost = !robot.state.connected;
    const { variablesSet } = process;
    const ended = recordOf(run, { exit, endedAt: now(), lines, sdkVersion: sdkVersion(), robotLost, variablesSet });
    log.info(`apps: ${run.app.name} ended: ${ended.message}`);
    run.exited(`${ended.message} Returning the robot to its default position.`);
    await Promise.all([robotBackToDefault(robot, log), history.end(ended), this.#notifyRunEnded(ended)]);
    this.#end(run, ended);
  }

  async #notifyRunEnded(run: AppRun): Promise<void> {
    const { onRunEnded, log } = this.#deps;
    try {
      if (!(await settlesWithin(RUN_ENDED_MS, Promise.resolve(onRunEnded(run)))))
        log.warn(`apps: run ${run.runId} is still being evaluated`);
    } catch (error) {
      log.error(`apps: run ${run.runId} could not be evaluated`, error);
    }
  }

  /** Frees the slot, or passes it to the successor. */
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
    run.lease.release(ended); // no effect once it was passed on
    run.finish();
  }
}

/** Whether the run was asked to stop and has no successor. */
function isStopping(run: RunUnderWay): boolean {
  return run.stopAsked && run.successor === null;
}
