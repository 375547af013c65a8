import { TargetPart } from '../../contract/robot/robot.ts';
import type { Posture } from '../kinematics/geometry.ts';
import { type HeadTarget, headBetween, headOver, mix } from '../kinematics/interpolation.ts';
import { at } from '../kinematics/pose.ts';
import { poseOf, type Quaternion, rotationBetween } from '../kinematics/quaternion.ts';
import type { MotionPlan } from './motion.ts';
import { type Antennas, antennaClamps, antennasBetween } from './posture.ts';
import { headNear } from './target-posture.ts';
import { easedWay, joinedWay, WayClamps } from './way.ts';

/** Numbers of a recorded head: its rotation as a unit quaternion [w, x, y, z], then its place in metres. */
export const HEAD_NUMBERS = 7;

/** The samples of a move, one after the other; null: the move does not move that part. */
export interface Samples {
  /** Seconds since the start, never falling; at least one. */
  readonly timesS: Float64Array;
  readonly heads: Float64Array | null;
  /** Two numbers a sample: right, left. */
  readonly antennas: Float64Array | null;
  readonly bodyYaws: Float64Array | null;
}

/** A recorded move: the targets of some parts over time. Between samples they are interpolated. */
export class RecordedMove {
  readonly #samples: Samples;
  readonly parts: readonly TargetPart[];

  constructor(samples: Samples) {
    this.#samples = samples;
    const values = { head: samples.heads, antennas: samples.antennas, bodyYaw: samples.bodyYaws };
    this.parts = TargetPart.options.filter((part) => values[part] !== null);
  }

  get durationS(): number {
    const { timesS } = this.#samples;
    return at(timesS, timesS.length - 1);
  }

  /** The head, on the side of the back on which a body at `bodyYawRad` is nearest. The move must have heads. */
  headAt(timeS: number, bodyYawRad: number): HeadTarget {
    const heads = this.#samples.heads as Float64Array;
    const { index, next, share } = this.#place(timeS);
    const [from, to] = [index * HEAD_NUMBERS, next * HEAD_NUMBERS];
    const rotation = rotationBetween(quaternionAt(heads, from), quaternionAt(heads, to), share);
    const along = (number: number) => mix(at(heads, from + number), at(heads, to + number), share);
    return headNear(poseOf(rotation, [along(4), along(5), along(6)]), bodyYawRad);
  }

  /** The antennas, in radians. The move must have antennas. */
  antennasAt(timeS: number): Antennas {
    const antennas = this.#samples.antennas as Float64Array;
    const { index, next, share } = this.#place(timeS);
    const along = (side: number) => mix(at(antennas, index * 2 + side), at(antennas, next * 2 + side), share);
    return [along(0), along(1)];
  }

  /** The body's yaw, in radians. The move must have body yaws. */
  bodyYawAt(timeS: number): number {
    const bodyYaws = this.#samples.bodyYaws as Float64Array;
    const { index, next, share } = this.#place(timeS);
    return mix(at(bodyYaws, index), at(bodyYaws, next), share);
  }

  /** The antennas where each of them is farthest from the front. The move must have antennas. */
  farthestAntennas(): Antennas {
    const antennas = this.#samples.antennas as Float64Array;
    const farthest: [number, number] = [0, 0];
    for (const [index, angle] of antennas.entries()) {
      const side = index % 2 === 0 ? 0 : 1;
      if (Math.abs(angle) > Math.abs(farthest[side])) farthest[side] = angle;
    }
    return farthest;
  }

  /** The last sample at a time, the one after it, and the share of the time between them; found by halving. */
  #place(timeS: number): { readonly index: number; readonly next: number; readonly share: number } {
    const { timesS } = this.#samples;
    let index = 0;
    let end = timesS.length;
    while (end - index > 1) {
      const middle = (index + end) >> 1;
      if (at(timesS, middle) <= timeS) index = middle;
      else end = middle;
    }
    if (end === timesS.length) return { index, next: index, share: 0 };
    const fromS = at(timesS, index);
    return { index, next: end, share: Math.max(0, timeS - fromS) / (at(timesS, end) - fromS) };
  }
}

function quaternionAt(heads: Float64Array, start: number): Quaternion {
  return [at(heads, start), at(heads, start + 1), at(heads, start + 2), at(heads, start + 3)];
}

export interface MoveStart {
  readonly from: Posture;
  readonly startS: number;
  /** The duration of a motion to the first sample; 0: none. */
  readonly initialGotoS: number;
  /** The name of a move of the robot's own set; null: another one. */
  readonly name: string | null;
}

/**
 * Plans a recorded move, and the motion to its first sample. Without body yaws, the body stays where it is as far as the
 * head lets it.
 */
export function movePlan(move: RecordedMove, { from, startS, initialGotoS, name }: MoveStart): MotionPlan {
  const has = (part: TargetPart) => move.parts.includes(part);
  const bodyYawAt = (timeS: number) => (has('bodyYaw') ? move.bodyYawAt(timeS) : from.bodyYawRad);
  const { durationS } = move;
  const bodyAtEndRad = bodyYawAt(durationS);
  const approach = { durationS: initialGotoS, method: 'minjerk' } as const;
  return {
    name: `playing ${name ?? 'a move'}`,
    move: name,
    parts: move.parts,
    head: has('head')
      ? joinedWay(
          easedWay(headOver(from.head, from.bodyYawRad), move.headAt(0, bodyYawAt(0)), headBetween, approach),
          initialGotoS,
          { to: move.headAt(durationS, bodyAtEndRad), at: (timeS, bodyYawRad) => move.headAt(timeS, bodyYawRad) },
        )
      : null,
    antennas: has('antennas')
      ? joinedWay(easedWay(from.antennas, move.antennasAt(0), antennasBetween, approach), initialGotoS, {
          to: move.antennasAt(durationS),
          at: (timeS) => move.antennasAt(timeS),
        })
      : null,
    bodyYaw: has('bodyYaw')
      ? joinedWay(easedWay(from.bodyYawRad, bodyYawAt(0), mix, approach), initialGotoS, {
          to: bodyAtEndRad,
          at: bodyYawAt,
        })
      : null,
    bodyWantedRad: bodyAtEndRad,
    clamped: has('antennas') ? antennaClamps(move.farthestAntennas()) : [],
    wayClamps: new WayClamps(),
    startS,
    durationS: initialGotoS + durationS,
    settle: false,
  };
}
