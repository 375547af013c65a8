import type { PoseMatrix } from '../../contract/robot.ts';
import type { InterpolationMethod } from '../../contract/sdk.ts';
import type { Posture } from './geometry.ts';
import { at, poseFrom, rollPitchYawOf } from './pose.ts';

const BACK = 1.70158 * 1.525;

/** How far along a motion is (0 to 1; `cartoon` overshoots both ends) at a share of its time, 0 to 1. */
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

/** A posture between two others, `share` 0 to 1 (a little beyond for `cartoon`). */
export function postureBetween(from: Posture, to: Posture, share: number): Posture {
  const mix = (a: number, b: number) => a + (b - a) * share;
  return {
    head: poseBetween(from.head, to.head, share),
    antennas: [mix(from.antennas[0], to.antennas[0]), mix(from.antennas[1], to.antennas[1])],
    bodyYawRad: mix(from.bodyYawRad, to.bodyYawRad),
  };
}

/**
 * Position in a straight line; the rotation by its angles. Yaw goes as a signed number, so that a head never turns
 * through its back, where the platform cannot follow.
 */
function poseBetween(from: PoseMatrix, to: PoseMatrix, share: number): PoseMatrix {
  const mix = (a: number, b: number) => a + (b - a) * share;
  const [a, b] = [rollPitchYawOf(from), rollPitchYawOf(to)];
  const angles = {
    rollRad: mix(a.rollRad, b.rollRad),
    pitchRad: mix(a.pitchRad, b.pitchRad),
    yawRad: mix(a.yawRad, b.yawRad),
  };
  return poseFrom(angles, [mix(at(from, 3), at(to, 3)), mix(at(from, 7), at(to, 7)), mix(at(from, 11), at(to, 11))]);
}
