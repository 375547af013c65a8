import type {
  AntennaSide,
  Clamp,
  MotionOutcome,
  MotionReport,
  Motor,
  MotorName,
  RobotState,
  SimulatedFaults,
  TargetReport,
} from '../contract/robot/robot.ts';
import { MotionRefused, NotSimulated } from '../robot/errors.ts';
import type { MotionOptions } from '../robot/motion.ts';
import type { PostureChange } from '../robot/posture.ts';
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

  constructor(deps: { robot: Robot; slot: AppSlot }) {
    this.#robot = deps.robot;
    this.#slot = deps.slot;
  }

  /** @throws MotionRefused, RobotUnavailable */
  async wakeUp(): Promise<MotionReport> {
    if (this.#robot.state.state === 'awake') this.#requireFreeSlot();
    return this.#report(await this.#robot.wakeUp());
  }

  /** @throws MotionRefused, RobotUnavailable */
  async sleep(): Promise<MotionReport> {
    this.#requireFreeSlot();
    return this.#report(await this.#robot.sleep());
  }

  /** @throws MotionRefused, MotionUnderWay, TargetUnreachable, RobotUnavailable */
  async goto(change: PostureChange, options: MotionOptions): Promise<MotionReport> {
    this.#requireFreeSlot();
    const { clamped, ended } = this.#robot.goto(change, options);
    return this.#report(await ended, clamped);
  }

  /** @throws MotionRefused, TargetUnreachable, RobotUnavailable */
  setTarget(change: PostureChange): TargetReport {
    this.#requireFreeSlot();
    return { clamped: [...this.#robot.setTarget(change)] };
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

  #report(outcome: MotionOutcome, clamped: readonly Clamp[] = []): MotionReport {
    return { outcome, clamped: [...clamped], robot: this.#robot.state };
  }

  #requireFreeSlot(): void {
    const { state } = this.#slot;
    if (state.state !== 'free') throw new MotionRefused(new AppAlreadyRunning(state.holder).message);
  }
}
