import type { AppSlotState, SlotHolder } from '../../contract/apps/app-slot.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import type { CommandCaller } from '../../robot/command-caller.ts';
import { DomainError, ShuttingDown } from '../../shared/domain-error.ts';
import type { AppLaunch, Startable } from '../installed/app-launch.ts';
import { type BoundNeed, mustWait, type RunNeeds } from '../needs/run-needs.ts';
import type { AppSlot, Lease } from './app-slot.ts';
import type { AppEnvironment, AppVariables } from './app-variables.ts';
import { AppAlreadyRunning, NoAppRunning, NotOurApp, StartCancelled } from './errors.ts';
import { recordOfFailedStart } from './failed-start.ts';
import { type FollowRunDeps, followRun } from './follow-run.ts';
import { outcomeForCaller } from './outcome-for-caller.ts';
import type { AppProcess } from './process/app-process.ts';
import { forcedStop, gracefulStop, reloadStop, type StopTimeouts } from './process/stop-timeouts.ts';
import { launchRun } from './run-launch.ts';
import { RunUnderWay } from './run-under-way.ts';
import { waitForEndpoints, waitForRobot } from './start-waits.ts';

export interface AppRunnerDeps extends FollowRunDeps {
  /** @throws AppNotInstalled */
  readonly findApp: (name: string) => AppLaunch;
  readonly slot: AppSlot;
  readonly variables: Pick<AppVariables, 'environment'>;
  readonly needs: Pick<RunNeeds, 'bind' | 'untilReady' | 'environment' | 'used' | 'unserved'>;
  /** A process that cannot be recorded would outlive a killed daemon. @throws StorageError when nothing can be saved */
  readonly requireRoom: () => Promise<void>;
  readonly childEnvironment: () => Record<string, string>;
  readonly daemonUrl: () => string;
}

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
   * Starts an app, by default the one installed under its name; settles as soon as its process has started, or at once while
   * its endpoints wake. A later failure is recorded as the end of the run.
   * @param options.replace stops the running app first; no other app can take the slot in between
   * @throws AppNotInstalled, AppAlreadyRunning, NotOurApp, NeedUnmet, StartCancelled, AppNotStartable, VariablesDamaged,
   * VariablesUnreadable, RobotUnavailable, StorageError, ShuttingDown
   */
  async start(
    what: string | Startable,
    { replace = false, wakePaid = false, caller }: StartOptions & { readonly replace?: boolean } = {},
  ): Promise<AppSlotState> {
    const { slot, requireRoom } = this.#deps;
    const startable = this.#startableOf(what);
    if (replace && slot.state.state !== 'free') await requireRoom(); // before the running app is stopped
    if (this.#shuttingDown) throw new ShuttingDown();
    if (!replace && slot.state.state !== 'free') throw new AppAlreadyRunning(slot.state.holder);
    const found = startable.find();
    // Without needs, nothing is awaited: the slot is taken at once.
    if (found.app.needs.length > 0) await this.#requireNeeds(found, wakePaid);
    if (!replace || slot.state.state === 'free') return this.#begin(startable, wakePaid, (holder) => slot.take(holder));
    const run = this.#managedRun();
    if (!run.isStopping) return outcomeForCaller(caller, run, this.#startAfter(run, startable, { wakePaid }), slot);
    // The caller of that stop has seen the slot free.
    const started = run.over.then(() => this.start(startable, { wakePaid }));
    return outcomeForCaller(caller, run, started, slot);
  }

  /**
   * Stops the running app, then starts it again; settles as `start` does.
   * @throws NoAppRunning, NotOurApp, AppAlreadyRunning, and the errors of `start`; StartCancelled by a stop
   */
  async restart({ wakePaid = false, caller }: StartOptions = {}): Promise<AppSlotState> {
    this.#managedRun();
    await this.#deps.requireRoom(); // before it is stopped
    await this.#requireNeeds(this.#managedRun().startable.find(), wakePaid);
    const run = this.#managedRun();
    if (run.isStopping) throw new StartCancelled(run.app.name);
    return outcomeForCaller(caller, run, this.#startAfter(run, run.startable, { wakePaid }), this.#deps.slot);
  }

  /**
   * Stops the running app and starts it anew with what has changed, without a move of the robot in between; settles as
   * `start` does.
   * @throws NoAppRunning when something else runs, and the errors of `restart`
   */
  async reload(startable: Startable): Promise<AppSlotState> {
    await this.#deps.requireRoom(); // before it is stopped
    const run = this.#run;
    if (run?.startable !== startable) throw new NoAppRunning();
    if (run.isStopping) throw new StartCancelled(run.app.name);
    return this.#startAfter(run, startable, { wakePaid: false, inPlace: true });
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

  /** Whether this is what holds the slot now. */
  isRunningAs(startable: Startable): boolean {
    return this.#run?.startable === startable;
  }

  /** Whether the token is that of the run that holds the slot. */
  isRunning(token: string): boolean {
    return this.#run?.token === token;
  }

  /** The run that holds the slot, if a program belongs to it. One that commands the robot is known to run. */
  async runOf(program: CommandCaller): Promise<Pick<RunUnderWay, 'stopAsked' | 'onStopAsked'> | null> {
    const run = this.#run;
    if (run === null || !(await run.has(program)) || run !== this.#run) return null;
    run.isKnownToRun();
    return run;
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

  #startableOf(what: string | Startable): Startable {
    return typeof what === 'string' ? { appName: what, find: () => this.#deps.findApp(what) } : what;
  }

  /** Stops a run and starts an app in its place. A second call for the same app joins the first. */
  #startAfter(
    run: RunUnderWay,
    startable: Startable,
    { wakePaid, inPlace = false }: { readonly wakePaid: boolean; readonly inPlace?: boolean },
  ): Promise<AppSlotState> {
    const { appName } = startable;
    if (run.successor && run.successor.startable.appName !== appName) {
      const next = run.successor.startable.appName;
      throw new AppAlreadyRunning({ kind: 'managed-app', appName: next, runId: '' });
    }
    run.successor ??= { startable, inPlace, wakePaid, started: Promise.withResolvers() };
    const { promise } = run.successor.started;
    run.stop(inPlace ? reloadStop : gracefulStop);
    return promise;
  }

  /** Refuses an app whose needs are not met, before anything is stopped or taken. @throws NeedUnmet, ShuttingDown */
  async #requireNeeds({ app }: AppLaunch, wakePaid: boolean): Promise<void> {
    await this.#deps.needs.bind(app, { wakePaid });
    if (this.#shuttingDown) throw new ShuttingDown();
  }

  async #begin(startable: Startable, wakePaid: boolean, occupy: (holder: SlotHolder) => Lease): Promise<AppSlotState> {
    const { slot, output, needs, requireRoom, clock } = this.#deps;
    const launch = startable.find();
    const run = new RunUnderWay({ startable, launch, occupy, clock });
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
    const { history, variables, requireRoom, clock, log } = this.#deps;
    const { name, version } = run.app;
    await waitForEndpoints(run, bound, this.#deps);
    if (mustWait(bound)) await requireRoom(); // long after the first time
    const environment = await variables.environment(name);
    await waitForRobot(run, this.#deps);
    run.startCancelled.throwIfAborted();
    const process = await this.#launch(run, launch, environment, bound);
    run.startedAt = clock.now();
    history.begin({ runId: run.id, appName: name, version, startedAt: run.startedAt.toISOString() });
    log.info(`apps: started ${name} (run ${run.id}, process ${process.pid})`);
    void followRun(run, process, bound, this.#deps).then(
      (ended) => this.#end(run, ended),
      (error: unknown) => {
        log.error(`apps: the end of ${name} could not be followed`, error);
        this.#end(run);
      },
    );
    run.launched(process);
  }

  /** Records a run whose start was accepted and then failed, and frees the slot. */
  async #endUnlaunched(run: RunUnderWay, error: Error): Promise<void> {
    const { history, clock, log } = this.#deps;
    const ended = recordOfFailedStart(run, error, clock.now());
    log.info(`apps: ${run.app.name} was not started: ${ended.message}`);
    if (!(error instanceof DomainError)) log.error(`apps: ${run.app.name} could not be started`, error);
    history.begin({ runId: run.id, appName: ended.appName, version: run.app.version, startedAt: ended.startedAt });
    await history.end(ended);
    this.#end(run, ended);
  }

  #launch(
    run: RunUnderWay,
    { python, workDir, folder }: AppLaunch,
    variables: AppEnvironment,
    bound: readonly BoundNeed[],
  ): Promise<AppProcess> {
    const { childEnvironment, daemonUrl, needs, output, history, clock } = this.#deps;
    return launchRun(run, {
      clock,
      python,
      workDir,
      environment: childEnvironment(),
      variables,
      importRoot: folder?.importRoot,
      endpoints: (others) =>
        needs.environment(run.app, bound, { ended: run.ended, pagePort: () => run.pagePort, others }),
      daemonUrl: daemonUrl(),
      onLine: (...line) => {
        output.append(...line);
        history.outputChanged();
      },
    });
  }

  /** Frees the slot, or passes it to the successor. */
  #end(run: RunUnderWay, ended?: AppRun): void {
    const { successor, startable, launch, stopAsked } = run;
    this.#run = null;
    launch.folder?.onOver({ run: ended ?? null, stopAsked, goesOn: successor?.startable === startable });
    if (successor) {
      const started = this.#begin(successor.startable, successor.wakePaid, (holder) => run.lease.passTo(holder, ended));
      successor.started.resolve(started); // rejects if it was removed meanwhile
    }
    run.lease.release(ended); // no effect once it was passed on
    run.finish();
  }
}
