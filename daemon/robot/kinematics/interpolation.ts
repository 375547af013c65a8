import type { InterpolationMethod } from '../../contract/robot/robot.ts';
import type { Posture } from './geometry.ts';
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

/**
 * A posture between two others, `share` 0 to 1 (a little beyond for `cartoon`). Positions are interpolated linearly,
 * rotations by their angles. The body turns past its front, never through its back, where its range ends. The head
 * never turns further against the body than at one of the ends.
 */
export function postureBetween(from: Posture, to: Posture, share: number): Posture {
  const mix = (a: number, b: number) => a + (b - a) * share;
  const bodyYawRad = mix(from.bodyYawRad, to.bodyYawRad);
  const [a, b] = [rollPitchYawOf(from.head), rollPitchYawOf(to.head)];
  const angles = {
    rollRad: mix(a.rollRad, b.rollRad),
    pitchRad: mix(a.pitchRad, b.pitchRad),
    yawRad: bodyYawRad + mix(wrapped(a.yawRad - from.bodyYawRad), wrapped(b.yawRad - to.bodyYawRad)),
  };
  const along = (index: number) => mix(at(from.head, index), at(to.head, index));
  return {
    head: poseFrom(angles, [along(3), along(7), along(11)]),
    antennas: [mix(from.antennas[0], to.antennas[0]), mix(from.antennas[1], to.antennas[1])],
    bodyYawRad,
  };
}
