import type { Clamp, IfBusy, InterpolationMethod, MotionOutcome } from '../contract/robot/robot.ts';
import type { Posture } from './kinematics/geometry.ts';
import { easings, postureBetween } from './kinematics/interpolation.ts';

/** The options of a motion to a posture. */
export interface MotionOptions {
  readonly durationS: number;
  readonly method: InterpolationMethod;
  readonly ifBusy: IfBusy;
}

/** A started motion. `ended` rejects with RobotUnavailable when the robot is lost during the motion. */
export interface StartedMotion {
  readonly clamped: readonly Clamp[];
  readonly ended: Promise<MotionOutcome>;
}

/** A motion from one posture to another, over time. */
export interface MotionPlan {
  /** The name for people: "waking up". */
  readonly name: string;
  readonly from: Posture;
  readonly to: Posture;
  readonly startS: number;
  readonly durationS: number;
  readonly method: InterpolationMethod;
  /** Whether the motion waits until the joints have followed, not only until the last target was sent. */
  readonly settle: boolean;
}

/** Time limit for the joints to follow after the last target. */
const SETTLE_S = 0.5;

/** A running motion, which ends exactly once. */
export class Motion {
  readonly plan: MotionPlan;
  /** Rejects when the robot is lost during the motion. */
  readonly ended: Promise<MotionOutcome>;
  readonly end: (outcome: MotionOutcome) => void;
  readonly fail: (error: Error) => void;

  constructor(plan: MotionPlan) {
    this.plan = plan;
    const { promise, resolve, reject } = Promise.withResolvers<MotionOutcome>();
    this.ended = promise;
    this.end = resolve;
    this.fail = reject;
    promise.catch(() => {}); // the caller need not await it
  }

  /** The target posture at a time. */
  postureAt(nowS: number): Posture {
    const { from, to, startS, durationS, method } = this.plan;
    const time = Math.min(1, (nowS - startS) / durationS);
    return time < 1 ? postureBetween(from, to, easings[method](time)) : to;
  }

  /** Whether the motion is over. @param arrived whether the joints have reached the target */
  isOver(nowS: number, arrived: boolean): boolean {
    const { startS, durationS, settle } = this.plan;
    const overS = nowS - startS - durationS;
    return overS >= 0 && (!settle || arrived || overS > SETTLE_S);
  }
}
