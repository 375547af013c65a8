import type { PoseMatrix } from '../../contract/robot/robot.ts';

/** Roll, pitch and yaw about the fixed axes x, y and z, in this order: R = Rz(yaw) Ry(pitch) Rx(roll). Radians. */
interface RollPitchYaw {
  readonly rollRad: number;
  readonly pitchRad: number;
  readonly yawRad: number;
}

/** The number at an index of a matrix or vector of known size. */
export function at(values: ArrayLike<number>, index: number): number {
  return values[index] as number;
}

/** The same angle between -π and π. */
export const wrapped = (angleRad: number): number => Math.atan2(Math.sin(angleRad), Math.cos(angleRad));

export function poseFrom(
  { rollRad, pitchRad, yawRad }: RollPitchYaw,
  [xM, yM, zM]: readonly [number, number, number] = [0, 0, 0],
): PoseMatrix {
  const [cr, sr, cp, sp] = [Math.cos(rollRad), Math.sin(rollRad), Math.cos(pitchRad), Math.sin(pitchRad)];
  const [cy, sy] = [Math.cos(yawRad), Math.sin(yawRad)];
  return [
    cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, xM,
    sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, yM,
    -sp, cp * sr, cp * cr, zM,
    0, 0, 0, 1,
  ]; // biome-ignore format: a matrix reads row by row
}

export function rollPitchYawOf(pose: PoseMatrix): RollPitchYaw {
  return {
    rollRad: Math.atan2(at(pose, 9), at(pose, 10)),
    pitchRad: Math.atan2(-at(pose, 8), Math.hypot(at(pose, 9), at(pose, 10))),
    yawRad: Math.atan2(at(pose, 4), at(pose, 0)),
  };
}

/** The same pose turned by an angle about the world's z axis. */
export function turnedAboutZ(pose: PoseMatrix, angleRad: number): PoseMatrix {
  const [c, s] = [Math.cos(angleRad), Math.sin(angleRad)];
  const turned = [...pose];
  for (let column = 0; column < 4; column++) {
    const [x, y] = [at(pose, column), at(pose, column + 4)];
    turned[column] = c * x - s * y;
    turned[column + 4] = s * x + c * y;
  }
  return turned;
}

export const cross = (a: readonly number[], b: readonly number[]): readonly [number, number, number] => [
  at(a, 1) * at(b, 2) - at(a, 2) * at(b, 1),
  at(a, 2) * at(b, 0) - at(a, 0) * at(b, 2),
  at(a, 0) * at(b, 1) - at(a, 1) * at(b, 0),
];

const dot = (a: readonly number[], b: readonly number[]) =>
  at(a, 0) * at(b, 0) + at(a, 1) * at(b, 1) + at(a, 2) * at(b, 2);

/** Larger than the robot. */
const MAX_OFFSET_M = 1;

/**
 * Whether the upper left 3×3 is a rotation, within 1e-2 (programs round their numbers), and the place within a metre.
 */
export function isRigid(pose: PoseMatrix): boolean {
  if (!pose.every(Number.isFinite)) return false;
  const rows = [pose.slice(0, 3), pose.slice(4, 7), pose.slice(8, 11)] as const;
  const near = (value: number, wanted: number) => Math.abs(value - wanted) < 1e-2;
  const unit = rows.every((row) => near(dot(row, row), 1));
  const square = near(dot(rows[0], rows[1]), 0) && near(dot(rows[0], rows[2]), 0) && near(dot(rows[1], rows[2]), 0);
  const rightHanded = near(dot(rows[0], cross(rows[1], rows[2])), 1);
  const isNear = [3, 7, 11].every((index) => Math.abs(at(pose, index)) <= MAX_OFFSET_M);
  const affine = at(pose, 12) === 0 && at(pose, 13) === 0 && at(pose, 14) === 0 && at(pose, 15) === 1;
  return unit && square && rightHanded && isNear && affine;
}

/** The same pose with its 3×3 made a rotation again: input is rounded, and rounding adds up. */
export function orthonormalised(pose: PoseMatrix): PoseMatrix {
  const unit = (v: readonly number[]) => v.map((value) => value / Math.hypot(at(v, 0), at(v, 1), at(v, 2)));
  const [x0, y0] = [pose.slice(0, 3), pose.slice(4, 7)];
  const x = unit(x0);
  const along = dot(x, y0);
  const y = unit(y0.map((value, index) => value - along * at(x, index)));
  return [...x, at(pose, 3), ...y, at(pose, 7), ...cross(x, y), at(pose, 11), 0, 0, 0, 1];
}

/** The angle of the rotation between two poses, radians. */
export function angleBetween(a: PoseMatrix, b: PoseMatrix): number {
  let trace = 0;
  for (const index of [0, 1, 2, 4, 5, 6, 8, 9, 10]) trace += at(a, index) * at(b, index);
  return Math.acos(Math.min(1, Math.max(-1, (trace - 1) / 2)));
}

/** The distance between the origins of two poses, metres. */
export function distanceBetween(a: PoseMatrix, b: PoseMatrix): number {
  return Math.hypot(at(a, 3) - at(b, 3), at(a, 7) - at(b, 7), at(a, 11) - at(b, 11));
}
