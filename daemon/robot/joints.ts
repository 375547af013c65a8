import type { RobotJoints } from '../contract/robot.ts';

/** One number for each joint, made from those of one or two joint sets. */
export function mapJoints(a: RobotJoints, b: RobotJoints, combine: (a: number, b: number) => number): RobotJoints {
  return {
    bodyYaw: combine(a.bodyYaw, b.bodyYaw),
    stewart: a.stewart.map((value, index) => combine(value, b.stewart[index] ?? value)),
    antennas: a.antennas.map((value, index) => combine(value, b.antennas[index] ?? value)),
  };
}

/** The greatest difference of any joint, radians. */
export function largestDifference(a: RobotJoints, b: RobotJoints): number {
  let largest = 0;
  mapJoints(a, b, (x, y) => {
    largest = Math.max(largest, Math.abs(x - y));
    return 0;
  });
  return largest;
}
