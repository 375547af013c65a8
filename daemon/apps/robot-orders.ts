import type { Clamp, MotionOutcome, Motor, MotorName } from '../contract/robot.ts';
import { MotionRefused } from '../robot/errors.ts';
import type { MotionWish } from '../robot/motion.ts';
import type { PostureChange } from '../robot/posture.ts';
import type { Robot } from '../robot/robot.ts';
import { AppAlreadyRunning } from './errors.ts';
import type { AppSlot } from './run/app-slot.ts';

/** How an order ended. */
export interface OrderReport {
  readonly outcome: MotionOutcome;
  readonly clamped: readonly Clamp[];
}

/**
 * What people and programs ask of the robot without holding the slot. While somebody else has the robot it is refused:
 * two that move it would fight. Stopping it is always possible, and so is waking one that lies there, or is in error.
 */
export class RobotOrders {
  readonly #robot: Robot;
  readonly #slot: AppSlot;

  constructor(deps: { robot: Robot; slot: AppSlot }) {
    this.#robot = deps.robot;
    this.#slot = deps.slot;
  }

  /** @throws MotionRefused, RobotUnavailable */
  async wakeUp(): Promise<OrderReport> {
    if (this.#robot.state.state === 'awake') this.#requireFreeSlot();
    return { outcome: await this.#robot.wakeUp(), clamped: [] };
  }

  /** @throws MotionRefused, RobotUnavailable */
  async sleep(): Promise<OrderReport> {
    this.#requireFreeSlot();
    return { outcome: await this.#robot.sleep(), clamped: [] };
  }

  /** @throws MotionRefused, MotionUnderWay, TargetUnreachable, RobotUnavailable */
  async goto(change: PostureChange, wish: MotionWish): Promise<OrderReport> {
    this.#requireFreeSlot();
    const { clamped, ended } = this.#robot.goto(change, wish);
    return { outcome: await ended, clamped };
  }

  /** @throws MotionRefused, TargetUnreachable, RobotUnavailable */
  setTarget(change: PostureChange): readonly Clamp[] {
    this.#requireFreeSlot();
    return this.#robot.setTarget(change);
  }

  /** @throws MotionRefused, RobotUnavailable */
  async setTorque(on: boolean, motors?: readonly MotorName[]): Promise<readonly Motor[]> {
    this.#requireFreeSlot();
    await this.#robot.setTorque(on, motors);
    return this.#robot.motors;
  }

  stop(): void {
    this.#robot.stop();
  }

  #requireFreeSlot(): void {
    const { state } = this.#slot;
    if (state.state !== 'free') throw new MotionRefused(new AppAlreadyRunning(state.holder).message);
  }
}
