import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import type { CommandCaller } from '../../robot/command-caller.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import { DomainError, ShuttingDown } from '../../shared/domain-error.ts';
import type { AppLaunch, AppToStart } from '../installed/app-launch.ts';
import { type BoundNeed, mustWait, type RunNeeds } from '../needs/run-needs.ts';
import type { AppSlot } from './app-slot.ts';
import { AppAlreadyRunning, NoAppRunning, NotOurApp, StartCancelled } from './errors.ts';
import { type FollowRunDeps, followRun } from './follow-run.ts';
import type { AppProcessOptions } from './process/app-process.ts';
import { forcedStop, gracefulStop, type StopTimeouts } from './process/stop-timeouts.ts';
import { type LaunchDeps, launchRun } from './run-launch.ts';
import { recordOfFailedStart } from './run-record.ts';
import { type Occupy, RunUnderWay } from './run-under-way.ts';

export interface AppRunnerDeps extends FollowRunDeps, LaunchDeps {
  /** @throws AppNotInstalled */
  readonly findApp: (name: string) => AppLaunch;
  readonly slot: AppSlot;
  readonly needs: Pick<RunNeeds, 'bind' | 'untilReady' | 'environment' | 'afterRun'>;
}

interface StartOptions {
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
   * @throws AppNotInstalled, AppAlreadyRunning, NotOurApp, NeedUnmet, StartCancelled, AppCannotStart, VariablesDamaged,
   * VariablesUnreadable, RobotUnavailable, StorageError, ShuttingDown
   */
  async start(
    what: string | AppToStart,
    { replace = false, wakePaid = false, caller }: StartOptions & { readonly replace?: boolean } = {},
  ): Promise<AppSlotState> {
    const { slot, requireRoom } = this.#deps;
    const target = typeof what === 'string' ? { appName: what, find: () => this.#deps.findApp(what) } : what;
    if (replace && slot.state.state !== 'free') await requireRoom(); // before the running app is stopped
    if (this.#shuttingDown) throw new ShuttingDown();
    if (!replace && slot.state.state !== 'free') throw new AppAlreadyRunning(slot.state.holder);
    const found = target.find();
    // Without needs, nothing is awaited: the slot is taken at once.
    if (found.app.needs.length > 0) await this.#requireNeeds(found, wakePaid);
    if (!replace || slot.state.state === 'free') return this.#begin(target, wakePaid, (holder) => slot.take(holder));
    const run = this.#managedRun();
    if (!run.isStopping) return outcomeForCaller(caller, run, run.replaceBy({ target, wakePaid }), this.#deps);
    // The caller of that stop has seen the slot free.
    const started = run.over.then(() => this.start(target, { wakePaid }));
    return outcomeForCaller(caller, run, started, this.#deps);
  }

  /**
   * Stops the running app, then starts it again; settles as `start` does.
   * @throws NoAppRunning, NotOurApp, AppAlreadyRunning, and the errors of `start`; StartCancelled by a stop
   */
  async restart({ wakePaid = false, caller }: StartOptions = {}): Promise<AppSlotState> {
    this.#managedRun();
    await this.#deps.requireRoom(); // before it is stopped
    await this.#requireNeeds(this.#managedRun().target.find(), wakePaid);
    const run = this.#managedRun();
    if (run.isStopping) throw new StartCancelled(run.app.name);
    const started = run.replaceBy({ target: run.target, wakePaid });
    return outcomeForCaller(caller, run, started, this.#deps);
  }

  /**
   * Stops the running app and starts it again with what has changed, without a move of the robot in between; settles as
   * `start` does.
   * @throws NoAppRunning when something else runs, and the errors of `restart`
   */
  async reload(target: AppToStart): Promise<AppSlotState> {
    await this.#deps.requireRoom(); // before it is stopped
    const run = this.#run;
    if (run?.target !== target) throw new NoAppRunning();
    if (run.isStopping) throw new StartCancelled(run.app.name);
    return run.replaceBy({ target, wakePaid: false, inPlace: true });
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
    const stopped = run.over.then(() => this.#deps.slot.state);
    return outcomeForCaller(caller, run, stopped, this.#deps);
  }

  /** For the daemon's shutdown: stops the running app, if any, and refuses new starts. */
  async shutDown(timeouts: StopTimeouts): Promise<void> {
    this.#shuttingDown = true;
    const run = this.#run;
    run?.cancelSuccessor(() => new ShuttingDown());
    run?.stop(timeouts);
    await run?.over;
  }

  /** Whether this is what holds the slot now. */
  isRunningAs(target: AppToStart): boolean {
    return this.#run?.target === target;
  }

  /** The run that holds the slot, if this is its token. */
  runWith(token: string): Pick<RunUnderWay, 'hello' | 'setSdkAnswering' | 'onStopAsked'> | null {
    return this.#run?.token === token ? this.#run : null;
  }

  /** The run that holds the slot, if a program belongs to it. One that commands the robot is known to run. */
  async runOf(program: CommandCaller): Promise<Pick<RunUnderWay, 'stopAsked' | 'onStopAsked'> | null> {
    const run = this.#run;
    if (run === null || !(await run.has(program)) || run !== this.#run) return null;
    run.isKnownToRun();
    return run;
  }

  /** The run that holds the slot. @throws NoAppRunning, NotOurApp */
  #managedRun(): RunUnderWay {
    const { state } = this.#deps.slot;
    if (state.state !== 'free' && state.holder.kind !== 'managed-app') throw new NotOurApp(state.holder.name);
    if (!this.#run) throw new NoAppRunning();
    return this.#run;
  }

  /** Refuses an app whose needs are not met, before anything is stopped or taken. @throws NeedUnmet, ShuttingDown */
  async #requireNeeds({ app }: AppLaunch, wakePaid: boolean): Promise<void> {
    await this.#deps.needs.bind(app, { wakePaid });
    if (this.#shuttingDown) throw new ShuttingDown();
  }

  async #begin(target: AppToStart, wakePaid: boolean, occupy: Occupy): Promise<AppSlotState> {
    const { slot, output, needs, requireRoom, clock } = this.#deps;
    const run = new RunUnderWay({ target, launch: target.find(), occupy, clock });
    this.#run = run;
    output.begin(run.id, run.app.name);
    try {
      await requireRoom();
      const bound = await needs.bind(run.app, { wakePaid });
      run.startCancelled.throwIfAborted();
      const launched = this.#launch(run, bound);
      if (!mustWait(bound)) await launched;
      else void launched.catch((error: unknown) => this.#endUnlaunched(run, error as Error));
    } catch (error) {
      this.#end(run);
      throw error;
    }
    return slot.state;
  }

  async #launch(run: RunUnderWay, bound: readonly BoundNeed[]): Promise<void> {
    const { output, history, log } = this.#deps;
    const { name } = run.app;
    const onLine: AppProcessOptions['onLine'] = (...line) => {
      output.append(...line);
      history.outputChanged();
    };
    const process = await launchRun(run, bound, onLine, this.#deps);
    run.started();
    history.begin(run.begun);
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
    history.begin(run.begun);
    await history.end(ended);
    this.#end(run, ended);
  }

  /** Frees the slot, or passes it on to the app that replaces the run. */
  #end(run: RunUnderWay, ended?: AppRun): void {
    this.#run = null;
    run.finish(ended, (next, occupy) => this.#begin(next.target, next.wakePaid, occupy));
  }
}

/** To look up whose process asks takes milliseconds: the end of a run, which mostly comes sooner, does not wait for it. */
const LOOK_UP_CALLER_AFTER_MS = 100;

/**
 * Waits for the outcome of a stop or a replacement, unless the app that ends asked for it itself: an app that waited
 * for the reply would not end.
 * @param deps.slot has the state of the slot, which such an app gets
 */
export async function outcomeForCaller(
  caller: CommandCaller | undefined,
  run: Pick<RunUnderWay, 'has' | 'ended'>,
  outcome: Promise<AppSlotState>,
  { slot, clock }: { readonly slot: { readonly state: AppSlotState }; readonly clock: Clock },
): Promise<AppSlotState> {
  if (!caller) return outcome;
  const asked = sleepOn(clock, LOOK_UP_CALLER_AFTER_MS, run.ended).then(
    async () => ((await run.has(caller)) ? slot.state : outcome),
    () => outcome, // it has ended
  );
  return Promise.race([outcome, asked]);
}
