import {
  type Clamp,
  type DroppedPart,
  type IfBusy,
  type InterpolationMethod,
  type MotionOutcome,
  TargetPart,
} from '../../contract/robot/robot.ts';
import type { HeadTarget } from '../kinematics/interpolation.ts';
import type { Antennas } from './posture.ts';
import type { HeadWay, Way, WayClamps } from './way.ts';

export interface MotionOptions {
  readonly durationS: number;
  readonly method: InterpolationMethod;
  readonly ifBusy: IfBusy;
}

export interface MotionEnd {
  readonly outcome: MotionOutcome;
  readonly clamped: readonly Clamp[];
  /** The parts that other motions took from it; empty if they took all of them (`replaced`). */
  readonly lost: readonly TargetPart[];
}

/** The end of a command to move: of a motion, of waking up or of folding. */
export type CommandEnd = Pick<MotionEnd, 'outcome'> & Partial<MotionEnd>;

export interface StartedMotion {
  /** Rejects with RobotUnavailable when the robot is lost during the motion. */
  readonly ended: Promise<MotionEnd>;
  /** Lets the motion go on, but yield each part to the next command for it: nobody waits for its end any more. */
  readonly yield: () => void;
  /** Ends the yielding: the motion owns again those of its parts that nobody has taken. */
  readonly claim: () => void;
}

/** A motion of some parts, over time: to a posture, or along a recorded move. */
export interface MotionPlan {
  /** The name for people: "waking up". */
  readonly name: string;
  /** The name of the recorded move, if it is one of the robot's own set. */
  readonly move: string | null;
  /** The parts that were asked for. The body may also move without, on a weak claim. */
  readonly parts: readonly TargetPart[];
  readonly head: HeadWay | null;
  readonly antennas: Way<Antennas> | null;
  readonly bodyYaw: Way<number> | null;
  /** The yaw that the body was to have at the end, before the head's limits. */
  readonly bodyWantedRad: number;
  /** The clamps of the request at the start. */
  readonly clamped: readonly Clamp[];
  /** Collects the clamps of head and body on the way; null: those at the end are reported. */
  readonly wayClamps: WayClamps | null;
  readonly startS: number;
  readonly durationS: number;
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

  /** @param bodyYawRad where the body is to be, radians */
  headAt(nowS: number, bodyYawRad: number): HeadTarget | null {
    return this.plan.head?.at(this.#timeS(nowS), bodyYawRad) ?? null;
  }

  antennasAt(nowS: number): Antennas | null {
    return this.plan.antennas?.at(this.#timeS(nowS)) ?? null;
  }

  bodyYawAt(nowS: number): number | null {
    return this.plan.bodyYaw?.at(this.#timeS(nowS)) ?? null;
  }

  /** Whether the motion is over. @param arrived whether the joints have reached the target */
  isOver(nowS: number, arrived: boolean): boolean {
    const { startS, durationS, settle } = this.plan;
    const overS = nowS - startS - durationS;
    return overS >= 0 && (!settle || arrived || overS > SETTLE_S);
  }

  /** Seconds since the start. */
  #timeS(nowS: number): number {
    return Math.max(0, nowS - this.plan.startS);
  }
}

/** A part of a target that was dropped, and the motion that owns it. */
export interface Dropped {
  readonly part: TargetPart;
  readonly owner: Motion;
}

const partNames: Readonly<Record<TargetPart, string>> = { head: 'head', antennas: 'antennas', bodyYaw: 'body' };

/** A dropped part of a target, with the reason for people. */
export function droppedPart({ part, owner }: Dropped): DroppedPart {
  return {
    part,
    why: `Targets for the ${partNames[part]} are dropped until the robot has finished ${owner.plan.name}.`,
  };
}
