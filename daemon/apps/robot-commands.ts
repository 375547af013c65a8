import type {
  AntennaSide,
  MotionReport,
  Motor,
  MotorName,
  RobotState,
  SimulatedFaults,
  TargetReport,
} from '../contract/robot/robot.ts';
import { MotionRefused, NotSimulated } from '../robot/errors.ts';
import { droppedPart } from '../robot/motions/dropped-part.ts';
import type { MotionEnd, MotionOptions } from '../robot/motions/motion.ts';
import type { PostureChange } from '../robot/motions/posture.ts';
import type { OwnMoves } from '../robot/own-moves/own-moves.ts';
import type { Robot } from '../robot/robot.ts';
import type { Simulator } from '../robot/robot-backend.ts';
import type { AppSlot } from './run/app-slot.ts';
import { AppAlreadyRunning } from './run/errors.ts';

/**
 * Commands to the robot from people and programs that do not hold the slot. They are refused while the slot is held.
 * Stopping the robot, waking one that is asleep or in error, and simulating faults are always allowed.
 */
export class RobotCommands {
  readonly #robot: Robot;
  readonly #slot: AppSlot;
  readonly #ownMoves: OwnMoves;

  constructor(deps: { robot: Robot; slot: AppSlot; ownMoves: OwnMoves }) {
    this.#robot = deps.robot;
    this.#slot = deps.slot;
    this.#ownMoves = deps.ownMoves;
  }

  /** @throws MotionRefused, RobotUnavailable */
  async wakeUp(): Promise<MotionReport> {
    if (this.#robot.state.state === 'awake') this.#requireFreeSlot();
    return this.#report({ outcome: await this.#robot.wakeUp() });
  }

  /** @throws MotionRefused, RobotUnavailable */
  async sleep(): Promise<MotionReport> {
    this.#requireFreeSlot();
    return this.#report({ outcome: await this.#robot.sleep() });
  }

  /**
   * @param onCallerGone calls back when the caller no longer waits: the motion then goes on, but yields to others
   * @throws MotionRefused, MotionUnderWay, TargetUnreachable, RobotUnavailable
   */
  async goto(
    change: PostureChange,
    options: MotionOptions,
    onCallerGone: (listener: () => void) => void,
  ): Promise<MotionReport> {
    this.#requireFreeSlot();
    const motion = this.#robot.goto(change, options);
    onCallerGone(motion.yield);
    return this.#report(await motion.ended);
  }

  /**
   * Starts a move of the robot's own set. Nobody waits for its end, so it yields to every other command.
   * @param initialGotoS the duration of the motion to its first sample
   * @throws MoveNotFound, MotionRefused, RobotUnavailable
   */
  async play(name: string, initialGotoS: number): Promise<RobotState> {
    const move = await this.#ownMoves.get(name);
    this.#requireFreeSlot();
    this.#robot.play(move, { name, initialGotoS, ifBusy: 'replace' }).yield();
    return this.#robot.state;
  }

  /** @throws MotionRefused, TargetUnreachable, RobotUnavailable */
  setTarget(change: PostureChange): TargetReport {
    this.#requireFreeSlot();
    const { clamped, dropped } = this.#robot.setTarget(change);
    return { clamped: [...clamped], ...(dropped.length > 0 && { dropped: dropped.map(droppedPart) }) };
  }

  /** @returns all motors @throws MotionRefused, RobotUnavailable */
  async setTorque(on: boolean, motors?: readonly MotorName[]): Promise<Motor[]> {
    this.#requireFreeSlot();
    await this.#robot.setTorque(on, motors);
    return [...this.#robot.motors];
  }

  stop(): RobotState {
    this.#robot.stop();
    return this.#robot.state;
  }

  /** @throws NotSimulated */
  touchSimulatedAntenna(side: AntennaSide): RobotState {
    this.#simulator.touch(side);
    return this.#robot.state;
  }

  /** @returns the given faults @throws NotSimulated */
  setSimulatedFaults(wanted: SimulatedFaults): SimulatedFaults {
    this.#simulator.setFaults(wanted.faults);
    return wanted;
  }

  get #simulator(): Simulator {
    const { simulator } = this.#robot;
    if (!simulator) throw new NotSimulated();
    return simulator;
  }

  #report({ outcome, clamped = [], lost = [] }: Pick<MotionEnd, 'outcome'> & Partial<MotionEnd>): MotionReport {
    return { outcome, clamped: [...clamped], ...(lost.length > 0 && { lost: [...lost] }), robot: this.#robot.state };
  }

  #requireFreeSlot(): void {
    const { state } = this.#slot;
    if (state.state !== 'free') throw new MotionRefused(new AppAlreadyRunning(state.holder).message);
  }
}
