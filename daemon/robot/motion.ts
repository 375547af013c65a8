import type { Clamp, IfBusy, InterpolationMethod, MotionOutcome } from '../contract/robot/robot.ts';
import type { Posture } from './kinematics/geometry.ts';
import { easings, postureBetween } from './kinematics/interpolation.ts';

/** How to go to a posture. */
export interface MotionOptions {
  readonly durationS: number;
  readonly method: InterpolationMethod;
  readonly ifBusy: IfBusy;
}

/** A motion that was begun. `ended` rejects with RobotUnavailable when the robot is lost on the way. */
export interface BegunMotion {
  readonly clamped: readonly Clamp[];
  readonly ended: Promise<MotionOutcome>;
}

/** One way from a posture to another, in time. */
export interface MotionPlan {
  /** What people are told: "waking up". */
  readonly name: string;
  readonly from: Posture;
  readonly to: Posture;
  readonly startS: number;
  readonly durationS: number;
  readonly method: InterpolationMethod;
  /** Waits until the joints have followed, not only until the last target was sent. */
  readonly settle: boolean;
}

/** How long the joints may take to follow after the last target. */
const SETTLE_S = 0.5;

/** A motion under way, which ends exactly once. */
export class Motion {
  readonly plan: MotionPlan;
  /** Rejects when the robot is lost on the way. */
  readonly ended: Promise<MotionOutcome>;
  readonly end: (outcome: MotionOutcome) => void;
  readonly fail: (error: Error) => void;

  constructor(plan: MotionPlan) {
    this.plan = plan;
    const { promise, resolve, reject } = Promise.withResolvers<MotionOutcome>();
    this.ended = promise;
    this.end = resolve;
    this.fail = reject;
    promise.catch(() => {}); // whoever began it hears of it; nobody need wait for it
  }

  /** Where the robot is to be at a time. */
  postureAt(nowS: number): Posture {
    const { from, to, startS, durationS, method } = this.plan;
    const time = Math.min(1, (nowS - startS) / durationS);
    return time < 1 ? postureBetween(from, to, easings[method](time)) : to;
  }

  /** Whether it is over, `there` being whether the joints have arrived. */
  isOver(nowS: number, there: boolean): boolean {
    const { startS, durationS, settle } = this.plan;
    const overS = nowS - startS - durationS;
    return overS >= 0 && (!settle || there || overS > SETTLE_S);
  }
}
