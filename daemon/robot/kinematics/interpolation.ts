import type { InterpolationMethod, PoseMatrix } from '../../contract/robot/robot.ts';
import { at, poseFrom, rollPitchYawOf, wrapped } from './pose.ts';

const BACK = 1.70158 * 1.525;

/** Progress of a motion (0 to 1; `cartoon` overshoots both ends) at a fraction of its time, 0 to 1. */
export const easings: Readonly<Record<InterpolationMethod, (t: number) => number>> = {
  linear: (t) => t,
  // The quintic whose velocity and acceleration are zero at both ends.
  minjerk: (t) => t ** 3 * (10 - 15 * t + 6 * t * t),
  ease_in_out: (t) => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2),
  cartoon: (t) =>
    t < 0.5
      ? ((2 * t) ** 2 * ((BACK + 1) * 2 * t - BACK)) / 2
      : ((2 * t - 2) ** 2 * ((BACK + 1) * (2 * t - 2) + BACK) + 2) / 2,
};

/** A pose of the head with its yaw unwrapped, so that a turn past the front differs from one past the back. Radians. */
export interface HeadTarget {
  readonly pose: PoseMatrix;
  readonly yawRad: number;
}

/** The pose with the yaw by which a body at `bodyYawRad` carries it, at most 180° from the body. */
export function headOver(pose: PoseMatrix, bodyYawRad: number): HeadTarget {
  return { pose, yawRad: bodyYawRad + wrapped(rollPitchYawOf(pose).yawRad - bodyYawRad) };
}

export const mix = (from: number, to: number, share: number) => from + (to - from) * share;

/**
 * A head between two others, `share` 0 to 1 (a little beyond for `cartoon`). Positions are interpolated linearly,
 * rotations by their angles. With body and head on a way of the same share, the head never turns further against the
 * body than at one of the ends; the body turns past its front, never through its back, where its range ends.
 */
export function headBetween(from: HeadTarget, to: HeadTarget, share: number): HeadTarget {
  const [a, b] = [rollPitchYawOf(from.pose), rollPitchYawOf(to.pose)];
  const yawRad = mix(from.yawRad, to.yawRad, share);
  const along = (index: number) => mix(at(from.pose, index), at(to.pose, index), share);
  const angles = {
    rollRad: mix(a.rollRad, b.rollRad, share),
    pitchRad: mix(a.pitchRad, b.pitchRad, share),
    yawRad,
  };
  return { pose: poseFrom(angles, [along(3), along(7), along(11)]), yawRad };
}
