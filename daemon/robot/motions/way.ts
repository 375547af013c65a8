import type { Clamp, InterpolationMethod, PoseMatrix } from '../../contract/robot/robot.ts';
import { defaultPosture } from '../kinematics/geometry.ts';
import { easings, type HeadTarget } from '../kinematics/interpolation.ts';
import { angleBetween } from '../kinematics/pose.ts';
import type { InverseResult } from '../kinematics/stewart.ts';
import { bodyClamps, unreachableText } from './posture.ts';

/** How a part moves during a motion. */
export interface Way<T, Where extends readonly unknown[] = []> {
  /** Where it is at the end. */
  readonly to: T;
  /** @param timeS seconds since the start of the motion */
  readonly at: (timeS: number, ...where: Where) => T;
}

/** The way of the head. Where the body is to be decides on which side of the back a recorded head is. */
export type HeadWay = Way<HeadTarget, [bodyYawRad: number]>;

/** The time of a way that eases from its start to its end. */
interface Easing {
  readonly durationS: number;
  readonly method: InterpolationMethod;
  /** The time to wait before it begins, seconds. */
  readonly waitS?: number;
}

/** A way between two values; exactly at its end from then on. @param between the value at a share of the way */
export function easedWay<T>(
  from: T,
  to: T,
  between: (from: T, to: T, share: number) => T,
  { durationS, method, waitS = 0 }: Easing,
): Way<T> {
  return {
    to,
    at: (timeS) => {
      const time = (timeS - waitS) / (durationS - waitS);
      return time < 1 ? between(from, to, easings[method](Math.max(0, time))) : to;
    },
  };
}

/** A way, and from `firstS` on another one. */
export function joinedWay<T, Where extends readonly unknown[]>(
  first: Way<T>,
  firstS: number,
  second: Way<T, Where>,
): Way<T, Where> {
  return {
    to: second.to,
    at: (timeS, ...where) => (timeS < firstS ? first.at(timeS) : second.at(timeS - firstS, ...where)),
  };
}

/** Smaller clamps of the body come from rounding. */
const LEAST_RAD = 1e-3;

/** The clamps of head and body on the way of a recorded move: the first of the head, the largest of the body. */
export class WayClamps {
  #head: Clamp | null = null;
  #body: Clamp | null = null;
  #largestRad = LEAST_RAD;

  get all(): readonly Clamp[] {
    return [this.#head, this.#body].filter((clamp) => clamp !== null);
  }

  /** The head does not reach a wanted pose, and stays at the given one. */
  noteHead(wanted: PoseMatrix, given: PoseMatrix, reason: Extract<InverseResult, { reachable: false }>): void {
    this.#head ??= {
      part: 'head',
      wantedRad: angleBetween(wanted, defaultPosture.head),
      givenRad: angleBetween(given, defaultPosture.head),
      why: `The head waits while the move leaves its reach. ${unreachableText(reason)}`,
    };
  }

  /** The body is at a yaw, which may be the wanted one. @param headYawRad unwrapped */
  noteBody(wantedRad: number, givenRad: number, headYawRad: number): void {
    const awayRad = Math.abs(wantedRad - givenRad);
    if (awayRad <= this.#largestRad) return;
    this.#largestRad = awayRad;
    this.#body = bodyClamps(wantedRad, givenRad, headYawRad)[0] ?? null;
  }
}
