import { poseFrom } from '../../daemon/robot/kinematics/pose.ts';

/** The targets of a move at one time: a pose of 16 numbers in metres, angles in radians, antennas [right, left]. */
export interface MoveSample {
  readonly head: readonly number[];
  readonly antennas: readonly [number, number];
  readonly bodyYaw: number;
}

/** Where a head is: millimetres and degrees. */
export interface HeadPlace {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly roll: number;
  readonly pitch: number;
  readonly yaw: number;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

export function headAt({ x, y, z, roll, pitch, yaw }: HeadPlace): number[] {
  const angles = { rollRad: radians(roll), pitchRad: radians(pitch), yawRad: radians(yaw) };
  return poseFrom(angles, [x / 1000, y / 1000, z / 1000]);
}

/** The sample at a share of the way between two others that are close together, where a chord is as good as an arc. */
export function sampleBetween(from: MoveSample, to: MoveSample, share: number): MoveSample {
  const mix = (a: number, b: number) => a + (b - a) * share;
  return {
    head: from.head.map((value, index) => mix(value, to.head[index] ?? 0)),
    antennas: [mix(from.antennas[0], to.antennas[0]), mix(from.antennas[1], to.antennas[1])],
    bodyYaw: mix(from.bodyYaw, to.bodyYaw),
  };
}
