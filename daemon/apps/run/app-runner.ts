import type { AppSlotState, SlotHolder } from '../../contract/apps/app-slot.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import type { CommandCaller } from '../../robot/command-caller.ts';
import { settlesWithin } from '../../shared/async/settles-within.ts';
import type { Now } from '../../shared/clock.ts';
import { DomainError } from '../../shared/domain-error.ts';
import type { Logger } from '../../shared/logger.ts';
import { ShuttingDown } from '../../shared/shutting-down.ts';
import type { AppLaunch } from '../installed/installed-apps.ts';
import { type BoundNeed, mustWait, type RunNeeds } from '../needs/run-needs.ts';
import type { AppSlot, Lease } from './app-slot.ts';
import type { AppEnvironment, AppVariables } from './app-variables.ts';
import { AppAlreadyRunning, NoAppRunning, NotOurApp, StartCancelled } from './errors.ts';
import { recordOfFailedStart } from './failed-start.ts';
import { outcomeForCaller } from './outcome-for-caller.ts';
import type { AppOutput } from './output/app-output.ts';
import type { AppProcess } from './process/app-process.ts';
import { forcedStop, gracefulStop, type StopTimeouts } from './process/stop-timeouts.ts';
import { type RunRobot, robotBackToDefault } from './robot-for-runs.ts';
import type { RunHistory } from './run-history.ts';
import { launchRun } from './run-launch.ts';
import { recordOf } from './run-record.ts';
import { RunUnderWay } from './run-under-way.ts';
import { waitForEndpoints, waitForRobot } from './start-waits.ts';
import { watchSettingsPageOfRun } from './watch-settings-page.ts';

export interface AppRunnerDeps {
  /** @throws AppNotInstalled */
  readonly findApp: (name: string) => AppLaunch;
  readonly slot: AppSlot;
  readonly output: AppOutput;
  readonly history: RunHistory;
  readonly variables: Pick<AppVariables, 'environment'>;
  readonly needs: Pick<RunNeeds, 'bind' | 'untilReady' | 'environment' | 'used' | 'unserved'>;
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

export interface StartOptions {
  /** Whether endpoints of the app that cost money may be woken; default: no. */
  readonly wakePaid?: boolean | undefined;
  /** The program that asks. The running app gets the state of the slot at once, not once it has ended. */
  readonly caller?: CommandCaller | undefined;
}

/** Runs the one user-written app, and leaves the robot in its default position afterwards. */
export class AppRunner {
  readonly #deps: AppRunnerDeps;
  #run: RunUnderWay | null = null;
  #shuttingDown = false;

  constructor(deps: AppRunnerDeps) {
    this.#deps = deps;
  }

  /**
   * Starts an installed app; settles as soon as its process has started, or at once while its endpoints wake. What fails
   * after that is recorded as the end of the run.
   * @param options.replace stops the running app first; no other app can take the slot in between
   * @throws AppNotInstalled, AppAlreadyRunning, NotOurApp, NeedUnmet, StartCancelled, AppNotStartable, VariablesDamaged,
   * VariablesUnreadable, RobotUnavailable, StorageError, ShuttingDown
   */
  async start(
    name: string,
    { replace = false, wakePaid = false, caller }: StartOptions & { readonly replace?: boolean } = {},
  ): Promise<AppSlotState> {
    const { findApp, slot, requireRoom } = this.#deps;
    if (replace && slot.state.state !== 'free') await requireRoom(); // before the running app is stopped
    if (this.#shuttingDown) throw new ShuttingDown();
    if (!replace && slot.state.state !== 'free') throw new AppAlreadyRunning(slot.state.holder);
    const found = findApp(name);
    // Without needs, nothing is awaited: the slot is taken at once.
    const launch = found.app.needs.length === 0 ? found : await this.#startable(found, wakePaid);
    if (!replace || slot.state.state === 'free') return this.#begin(launch, wakePaid, (holder) => slot.take(holder));
    const run = this.#managedRun();
    if (!run.isStopping) return outcomeForCaller(caller, run, this.#startAfter(run, name, wakePaid), slot);
    const started = run.over.then(() => this.start(name, { wakePaid })); // the caller of that stop has seen the slot free
    return outcomeForCaller(caller, run, started, slot);
  }

  /**
   * Stops the running app, then starts it again; settles as `start` does.
   * @throws NoAppRunning, NotOurApp, AppAlreadyRunning, and the errors of `start`; StartCancelled by a stop
   */
  async restart({ wakePaid = false, caller }: StartOptions = {}): Promise<AppSlotState> {
    this.#managedRun();
    await this.#deps.requireRoom(); // before it is stopped
    await this.#startable(this.#deps.findApp(this.#managedRun().app.name), wakePaid);
    if (this.#shuttingDown) throw new ShuttingDown();
    const run = this.#managedRun();
    if (run.isStopping) throw new StartCancelled(run.app.name);
    return outcomeForCaller(caller, run, this.#startAfter(run, run.app.name, wakePaid), this.#deps.slot);
  }

  /**
   * Stops the running app; settles once the slot is free, or at once if that app asked for it itself. A second stop
   * joins the first; a forced one brings the kill forward.
   * @throws NoAppRunning, NotOurApp
   */
  async stop({ force = false, caller }: { force?: boolean; caller?: CommandCaller } = {}): Promise<AppSlotState> {
    const run = this.#managedRun();
    run.cancelSuccessor((appName) => new StartCancelled(appName));
    run.stop(force ? forcedStop : gracefulStop, { forced: force });
    const { slot } = this.#deps;
    const stopped = run.over.then(() => slot.state);
    return outcomeForCaller(caller, run, stopped, slot);
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

  /** Whether a program belongs to the run that holds the slot. */
  async isRunningApp(program: CommandCaller): Promise<boolean> {
    const run = this.#run;
    return run !== null && (await run.has(program)) && run === this.#run;
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
  #startAfter(run: RunUnderWay, appName: string, wakePaid: boolean): Promise<AppSlotState> {
    if (run.successor && run.successor.appName !== appName) {
      throw new AppAlreadyRunning({ kind: 'managed-app', appName: run.successor.appName, runId: '' });
    }
    run.successor ??= { appName, wakePaid, started: Promise.withResolvers() };
    const { promise } = run.successor.started;
    run.stop(gracefulStop);
    return promise;
  }

  /** Refuses an app whose needs are not met, before anything is stopped or taken. @throws NeedUnmet, ShuttingDown */
  async #startable({ app }: AppLaunch, wakePaid: boolean): Promise<AppLaunch> {
    await this.#deps.needs.bind(app, { wakePaid });
    if (this.#shuttingDown) throw new ShuttingDown();
    return this.#deps.findApp(app.name);
  }

  async #begin(launch: AppLaunch, wakePaid: boolean, occupy: (holder: SlotHolder) => Lease): Promise<AppSlotState> {
    const { slot, output, needs, requireRoom, now } = this.#deps;
    const run = new RunUnderWay({ app: launch.app, occupy, now });
    this.#run = run;
    output.begin(run.id, launch.app.name);
    try {
      await requireRoom();
      const bound = await needs.bind(launch.app, { wakePaid });
      run.startCancelled.throwIfAborted();
      const launched = this.#launchWhenReady(run, launch, bound);
      if (!mustWait(bound)) await launched;
      else void launched.catch((error: unknown) => this.#endUnlaunched(run, error as Error));
    } catch (error) {
      this.#end(run);
      throw error;
    }
    return slot.state;
  }

  /** Waits for the endpoints, then for the robot, and starts the process. */
  async #launchWhenReady(run: RunUnderWay, launch: AppLaunch, bound: readonly BoundNeed[]): Promise<void> {
    const { history, variables, requireRoom, now, log } = this.#deps;
    const { name, version } = run.app;
    await waitForEndpoints(run, bound, this.#deps);
    if (mustWait(bound)) await requireRoom(); // long after the first time
    const environment = await variables.environment(name);
    await waitForRobot(run, this.#deps);
    run.startCancelled.throwIfAborted();
    const process = await this.#launch(run, launch, environment, bound);
    run.startedAt = now();
    history.begin({ runId: run.id, appName: name, version, startedAt: run.startedAt.toISOString() });
    log.info(`apps: started ${name} (run ${run.id}, process ${process.pid})`);
    void this.#followToEnd(run, process, bound).catch((error: unknown) => {
      log.error(`apps: the end of ${name} could not be followed`, error);
      this.#end(run);
    });
    run.launched(process);
  }

  /** Records a run whose start was accepted and then failed, and frees the slot. */
  async #endUnlaunched(run: RunUnderWay, error: Error): Promise<void> {
    const { history, now, log } = this.#deps;
    const ended = recordOfFailedStart(run, error, now());
    log.info(`apps: ${run.app.name} was not started: ${ended.message}`);
    if (!(error instanceof DomainError)) log.error(`apps: ${run.app.name} could not be started`, error);
    history.begin({ runId: run.id, appName: ended.appName, version: run.app.version, startedAt: ended.startedAt });
    await history.end(ended);
    this.#end(run, ended);
  }

  #launch(
    run: RunUnderWay,
    { python, workDir }: AppLaunch,
    variables: AppEnvironment,
    bound: readonly BoundNeed[],
  ): Promise<AppProcess> {
    const { childEnvironment, daemonUrl, needs, output, history } = this.#deps;
    return launchRun(run, {
      python,
      workDir,
      environment: childEnvironment(),
      variables,
      endpoints: (others) => needs.environment(run.app, bound, { ended: run.ended, others }),
      daemonUrl: daemonUrl(),
      onLine: (...line) => {
        output.append(...line);
        history.outputChanged();
      },
    });
  }

  /** Waits for the end of a run, records it and frees the slot. */
  async #followToEnd(run: RunUnderWay, process: AppProcess, bound: readonly BoundNeed[]): Promise<void> {
    const { output, robot, history, needs, sdkVersion, now, log } = this.#deps;
    const silent = setTimeout(() => run.helloTimedOut(), HELLO_MS);
    const endWatch = watchSettingsPageOfRun(run, log);
    const exit = await process.exited;
    clearTimeout(silent);
    endWatch();
    output.flush();
    const lines = output.newest(DIAGNOSED_LINES);
    const robotLost = !robot.state.connected;
    const { variablesSet } = process;
    const endedAt = now();
    const [endpoints, unserved] = await Promise.all([needs.used(bound), needs.unserved(run.app, bound)]);
    const facts = { exit, endedAt, lines, sdkVersion: sdkVersion(), robotLost, variablesSet, endpoints, unserved };
    const ended = recordOf(run, facts);
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
        successor.started.resolve(this.#begin(launch, successor.wakePaid, (holder) => run.lease.passTo(holder, ended)));
      }
    } catch (error) {
      successor?.started.reject(error); // it was removed meanwhile
    }
    run.lease.release(ended); // no effect once it was passed on
    run.finish();
  }
}
