import {
  type Clamp,
  type IfBusy,
  type InterpolationMethod,
  type MotionOutcome,
  TargetPart,
} from '../../contract/robot/robot.ts';
import { easings, type HeadTarget, headBetween, mix } from '../kinematics/interpolation.ts';

/** The options of a motion to a posture. */
export interface MotionOptions {
  readonly durationS: number;
  readonly method: InterpolationMethod;
  readonly ifBusy: IfBusy;
}

/** How a motion ended. */
export interface MotionEnd {
  readonly outcome: MotionOutcome;
  readonly clamped: readonly Clamp[];
  /** The parts that other motions took from it; empty if they took all of them (`replaced`). */
  readonly lost: readonly TargetPart[];
}

/** A started motion. */
export interface StartedMotion {
  /** Rejects with RobotUnavailable when the robot is lost during the motion. */
  readonly ended: Promise<MotionEnd>;
  /** Lets the motion go on, but yield each part to the next command for it: nobody waits for its end any more. */
  readonly yield: () => void;
  /** Ends the yielding: the motion owns again those of its parts that nobody has taken. */
  readonly claim: () => void;
}

/** The way of a part, from its target at the start. */
export interface Way<T> {
  readonly from: T;
  readonly to: T;
}

/** The way of the body. */
export interface BodyWay extends Way<number> {
  /** The time to wait before it begins, seconds. */
  readonly waitS: number;
}

/** A motion of some parts, over time. */
export interface MotionPlan {
  /** The name for people: "waking up". */
  readonly name: string;
  /** The parts that were asked for. The body may also move without, on a weak claim. */
  readonly parts: readonly TargetPart[];
  readonly head: Way<HeadTarget> | null;
  readonly antennas: Way<readonly [number, number]> | null;
  readonly bodyYaw: BodyWay | null;
  /** The yaw that the body was to have at the end, before the head's limits. */
  readonly bodyWantedRad: number;
  /** The clamps of the request at the start. */
  readonly clamped: readonly Clamp[];
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
  readonly ended: Promise<MotionEnd>;
  readonly fail: (error: Error) => void;
  readonly #resolve: (end: MotionEnd) => void;
  readonly #lost: TargetPart[] = [];

  constructor(plan: MotionPlan) {
    this.plan = plan;
    const { promise, resolve, reject } = Promise.withResolvers<MotionEnd>();
    this.ended = promise;
    this.#resolve = resolve;
    this.fail = reject;
    promise.catch(() => {}); // the caller need not await it
  }

  /** The parts that were asked for, without those that other commands have taken. */
  get ownedParts(): readonly TargetPart[] {
    return this.plan.parts.filter((part) => !this.#lost.includes(part));
  }

  /** Whether other commands have taken all parts that were asked for. */
  get hasLostAll(): boolean {
    return this.#lost.length > 0 && this.ownedParts.length === 0;
  }

  /** Another command takes a part. */
  lose(part: TargetPart): void {
    if (this.plan.parts.includes(part)) this.#lost.push(part);
  }

  end(outcome: MotionOutcome, clamped: readonly Clamp[]): void {
    const lost = TargetPart.options.filter((part) => outcome !== 'replaced' && this.#lost.includes(part));
    this.#resolve({ outcome, clamped, lost });
  }

  headAt(nowS: number): HeadTarget | null {
    const { head } = this.plan;
    if (!head) return null;
    const share = this.#share(nowS);
    return share === 1 ? head.to : headBetween(head.from, head.to, share);
  }

  antennasAt(nowS: number): readonly [number, number] | null {
    const { antennas } = this.plan;
    if (!antennas) return null;
    const { from, to } = antennas;
    const share = this.#share(nowS);
    return share === 1 ? to : [mix(from[0], to[0], share), mix(from[1], to[1], share)];
  }

  bodyYawAt(nowS: number): number | null {
    const { bodyYaw } = this.plan;
    if (!bodyYaw) return null;
    const share = this.#share(nowS, bodyYaw.waitS);
    return share === 1 ? bodyYaw.to : mix(bodyYaw.from, bodyYaw.to, share);
  }

  /** Whether the motion is over. @param arrived whether the joints have reached the target */
  isOver(nowS: number, arrived: boolean): boolean {
    const { startS, durationS, settle } = this.plan;
    const overS = nowS - startS - durationS;
    return overS >= 0 && (!settle || arrived || overS > SETTLE_S);
  }

  /** The share of a way that begins `waitS` after the start; exactly 1 from the end on. */
  #share(nowS: number, waitS = 0): number {
    const { startS, durationS, method } = this.plan;
    const time = (nowS - startS - waitS) / (durationS - waitS);
    return time < 1 ? easings[method](Math.max(0, time)) : 1;
  }
}
