import { randomUUID } from 'node:crypto';
import { setImmediate as afterPending } from 'node:timers/promises';
import type { MotorMode } from '../contract/aliases.ts';
import type {
  AntennaSide,
  MotionOutcome,
  MotionReport,
  Motor,
  MotorName,
  RobotState,
  SimulatedFaults,
  TargetReport,
} from '../contract/robot/robot.ts';
import type { CommandCaller } from '../robot/command-caller.ts';
import { MotionRefused, NotSimulated } from '../robot/errors.ts';
import { type CommandEnd, droppedPart, type MotionOptions, type StartedMotion } from '../robot/motions/motion.ts';
import type { PostureChange } from '../robot/motions/posture.ts';
import type { OwnMoves } from '../robot/own-moves.ts';
import type { Robot } from '../robot/robot.ts';
import type { Simulator } from '../robot/robot-backend.ts';
import { NotFound } from '../shared/domain-error.ts';
import type { AppRunner } from './run/app-runner.ts';
import type { AppSlot } from './run/app-slot.ts';
import { AppAlreadyRunning } from './run/errors.ts';

/** A motion that a caller started. */
export interface StartedCommand {
  readonly ended: Promise<CommandEnd>;
}

/** The run of the app that sends a command; null: no app runs. */
type CallersRun = Awaited<ReturnType<AppRunner['runOf']>>;

interface RobotCommandsDeps {
  readonly robot: Robot;
  readonly slot: AppSlot;
  readonly runner: Pick<AppRunner, 'runOf'>;
  readonly ownMoves: OwnMoves;
}

/**
 * Commands to the robot over HTTP. While the slot is held, they are refused unless they come from the running app. Once that is
 * asked to stop, its motion ends, and it starts no other one.
 * Stopping the robot, waking one that is asleep or in error, and simulating faults are always allowed.
 */
export class RobotCommands {
  readonly #deps: RobotCommandsDeps;

  constructor(deps: RobotCommandsDeps) {
    this.#deps = deps;
  }

  /** @throws MotionRefused, RobotUnavailable */
  async wakeUp(caller: CommandCaller): Promise<MotionReport> {
    return this.#report(await (await this.startWakeUp(caller)).ended);
  }

  /** Like `wakeUp`, and settles as soon as the robot moves; `ended` rejects with RobotUnavailable. @throws MotionRefused */
  async startWakeUp(caller: CommandCaller): Promise<StartedCommand> {
    const isAwake = this.#deps.robot.state.state === 'awake';
    const run = isAwake ? await this.#requireMayStart(caller) : await this.#deps.runner.runOf(caller);
    requireNotStopping(run);
    return this.#untilStop(run, { ended: this.#deps.robot.wakeUp().then(toEnd) });
  }

  /** @throws MotionRefused, RobotUnavailable */
  async sleep(caller: CommandCaller): Promise<MotionReport> {
    return this.#report(await (await this.startSleep(caller)).ended);
  }

  /** Like `sleep`, and settles as soon as the robot moves; `ended` rejects with RobotUnavailable. @throws MotionRefused */
  async startSleep(caller: CommandCaller): Promise<StartedCommand> {
    const run = await this.#requireMayStart(caller);
    return this.#untilStop(run, { ended: this.#deps.robot.sleep().then(toEnd) });
  }

  /**
   * @param onCallerGone calls back when the caller no longer waits: the motion then goes on, but yields to others
   * @throws MotionRefused, MotionUnderWay, TargetUnreachable, RobotUnavailable
   */
  async goto(
    caller: CommandCaller,
    change: PostureChange,
    options: MotionOptions,
    onCallerGone: (listener: () => void) => void,
  ): Promise<MotionReport> {
    const motion = await this.startGoto(caller, change, options);
    onCallerGone(motion.yield);
    return this.#report(await motion.ended);
  }

  /** Like `goto`, and settles as soon as the robot moves. @throws the errors of `goto` */
  async startGoto(caller: CommandCaller, change: PostureChange, options: MotionOptions): Promise<StartedMotion> {
    const run = await this.#requireMayStart(caller);
    return this.#untilStop(run, this.#deps.robot.goto(change, options));
  }

  /**
   * Starts a move of the robot's own set. Nobody waits for its end, so it yields to every other command.
   * @param initialGotoS the duration of the motion to its first sample
   * @throws MoveNotFound, MotionRefused, RobotUnavailable
   */
  async play(caller: CommandCaller, name: string, initialGotoS: number): Promise<StartedMotion> {
    const move = await this.#deps.ownMoves.get(name);
    const run = await this.#requireMayStart(caller);
    const motion = this.#deps.robot.play(move, { name, initialGotoS, ifBusy: 'replace' });
    motion.yield();
    return this.#untilStop(run, motion);
  }

  /** @throws MotionRefused, TargetUnreachable, RobotUnavailable */
  async setTarget(caller: CommandCaller, change: PostureChange): Promise<TargetReport> {
    await this.#requireMayStart(caller);
    const { clamped, dropped } = this.#deps.robot.setTarget(change);
    return { clamped: [...clamped], ...(dropped.length > 0 && { dropped: dropped.map(droppedPart) }) };
  }

  /** @returns all motors @throws MotionRefused, RobotUnavailable */
  async setTorque(caller: CommandCaller, on: boolean, motors?: readonly MotorName[]): Promise<Motor[]> {
    await this.#requireMayMove(caller);
    await this.#deps.robot.setTorque(on, motors);
    return [...this.#deps.robot.motors];
  }

  /** Switches all motors off, or on: to hold their position, or to follow a hand. @throws MotionRefused, RobotUnavailable */
  async setMode(caller: CommandCaller, mode: MotorMode): Promise<void> {
    await this.setTorque(caller, mode !== 'disabled');
    if (mode === 'gravity_compensation') this.#deps.robot.setGuided(true);
  }

  stop(): RobotState {
    this.#deps.robot.stop();
    return this.#deps.robot.state;
  }

  /** @throws NotSimulated */
  touchSimulatedAntenna(side: AntennaSide): RobotState {
    this.#simulator.touch(side);
    return this.#deps.robot.state;
  }

  /** @returns the given faults @throws NotSimulated */
  setSimulatedFaults(wanted: SimulatedFaults): SimulatedFaults {
    this.#simulator.setFaults(wanted.faults);
    return wanted;
  }

  get #simulator(): Simulator {
    const { simulator } = this.#deps.robot;
    if (!simulator) throw new NotSimulated();
    return simulator;
  }

  #report({ outcome, clamped = [], lost = [] }: CommandEnd): MotionReport {
    return {
      outcome,
      clamped: [...clamped],
      ...(lost.length > 0 && { lost: [...lost] }),
      robot: this.#deps.robot.state,
    };
  }

  /** Ends a motion of the running app when that is asked to stop. */
  #untilStop<Started extends StartedCommand>(run: CallersRun, motion: Started): Started {
    const forget = run?.onStopAsked(() => this.#deps.robot.stop()) ?? (() => {});
    motion.ended.then(forget, forget);
    return motion;
  }

  /** @throws MotionRefused */
  async #requireMayMove(caller: CommandCaller): Promise<CallersRun> {
    if (this.#deps.slot.state.state === 'free') return null;
    const run = await this.#deps.runner.runOf(caller);
    const { slot } = this.#deps;
    if (run === null && slot.state.state !== 'free') {
      throw new MotionRefused(new AppAlreadyRunning(slot.state.holder).message);
    }
    return run;
  }

  /** Like `requireMayMove`, for what moves the robot. @throws MotionRefused */
  async #requireMayStart(caller: CommandCaller): Promise<CallersRun> {
    const run = await this.#requireMayMove(caller);
    requireNotStopping(run);
    return run;
  }
}

/** @throws MotionRefused */
function requireNotStopping(run: CallersRun): void {
  if (run?.stopAsked) throw new MotionRefused('This app was asked to stop. It no longer moves the robot.');
}

const toEnd = (outcome: MotionOutcome): CommandEnd => ({ outcome });

/** No motion with this id is under way. */
class MotionNotFound extends NotFound {
  constructor() {
    super('No such motion is under way. It may have ended.');
  }
}

/** Motions whose callers do not wait for the end, by their ids. */
export class MotionsById {
  readonly #commands: Pick<RobotCommands, 'stop'>;
  readonly #running = new Set<string>();

  constructor(commands: Pick<RobotCommands, 'stop'>) {
    this.#commands = commands;
  }

  /** The ids of the motions under way, oldest first. */
  get ids(): string[] {
    return [...this.#running];
  }

  /** Keeps a motion that has started. @returns its id @throws what ends the motion before it has moved anything */
  async keep({ ended }: StartedCommand): Promise<string> {
    const id = randomUUID();
    this.#running.add(id);
    const forgotten = ended.finally(() => this.#running.delete(id));
    forgotten.catch(() => {}); // the events say why the robot is lost
    await Promise.race([forgotten, afterPending()]);
    return id;
  }

  /** Stops the robot. @throws MotionNotFound when the motion is not under way */
  stop(id: string): void {
    if (!this.#running.has(id)) throw new MotionNotFound();
    this.#commands.stop();
  }
}
