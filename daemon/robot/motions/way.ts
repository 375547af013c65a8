import type { InterpolationMethod } from '../../contract/robot/robot.ts';
import { easings, type HeadTarget } from '../kinematics/interpolation.ts';

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
export interface Easing {
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
