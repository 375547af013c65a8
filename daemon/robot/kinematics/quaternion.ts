import type { PoseMatrix } from '../../contract/robot/robot.ts';
import { at } from './pose.ts';

export type Quaternion = readonly [w: number, x: number, y: number, z: number];

/** The rotation of an orthonormal pose. */
export function quaternionOf(pose: PoseMatrix): Quaternion {
  const [xx, yy, zz] = [at(pose, 0), at(pose, 5), at(pose, 10)];
  // Four times the square of each number; the largest one is divided by, so that little is lost to rounding.
  const squares = [1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz] as const;
  const largest = Math.max(...squares);
  const [xy, xz, yz] = [at(pose, 4) + at(pose, 1), at(pose, 2) + at(pose, 8), at(pose, 9) + at(pose, 6)];
  const [wx, wy, wz] = [at(pose, 9) - at(pose, 6), at(pose, 2) - at(pose, 8), at(pose, 4) - at(pose, 1)];
  const scale = 1 / (2 * Math.sqrt(largest));
  const scaled = (w: number, x: number, y: number, z: number): Quaternion => [
    w * scale,
    x * scale,
    y * scale,
    z * scale,
  ];
  if (largest === squares[0]) return scaled(largest, wx, wy, wz);
  if (largest === squares[1]) return scaled(wx, largest, xy, xz);
  if (largest === squares[2]) return scaled(wy, xy, largest, yz);
  return scaled(wz, xz, yz, largest);
}

/** The pose of a unit quaternion and a place in metres. */
export function poseOf([w, x, y, z]: Quaternion, [xM, yM, zM]: readonly [number, number, number]): PoseMatrix {
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), xM,
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), yM,
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), zM,
    0, 0, 0, 1,
  ]; // biome-ignore format: a matrix reads row by row
}

/** Below this angle (radians), the share of the arc is that of the chord, to the precision of numbers. */
const STRAIGHT_RAD = 1e-4;

/** The rotation at a share, 0 to 1, of the shortest way between two others. */
export function rotationBetween(from: Quaternion, to: Quaternion, share: number): Quaternion {
  const along = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
  const sign = along < 0 ? -1 : 1; // both signs are the same rotation; one of them is nearer
  const angle = Math.acos(Math.min(1, Math.abs(along)));
  const [a, b] =
    angle < STRAIGHT_RAD
      ? [1 - share, share]
      : [Math.sin((1 - share) * angle) / Math.sin(angle), Math.sin(share * angle) / Math.sin(angle)];
  const mixed = (index: 0 | 1 | 2 | 3) => a * from[index] + sign * b * to[index];
  const [w, x, y, z] = [mixed(0), mixed(1), mixed(2), mixed(3)];
  const length = Math.hypot(w, x, y, z);
  return [w / length, x / length, y / length, z / length];
}
