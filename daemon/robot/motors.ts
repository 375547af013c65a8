import { MotorName, type RobotJoints } from '../contract/robot/robot.ts';

/** The nine motors in the order of the bus. */
export const motorNames: readonly MotorName[] = MotorName.options;

/** The joints as nine numbers in the order of the bus: the body, the six legs, the antennas [right, left]. */
export function joined({ bodyYaw, stewart, antennas }: RobotJoints): number[] {
  return [bodyYaw, ...stewart, ...antennas];
}

/** The joints from nine numbers in the order of the bus. */
export function jointsFrom(angles: readonly number[]): RobotJoints {
  return { bodyYaw: angles[0] ?? 0, stewart: angles.slice(1, 7), antennas: angles.slice(7, 9) };
}

/** The greatest difference of any joint, radians. */
export function largestDifference(a: RobotJoints, b: RobotJoints): number {
  const others = joined(b);
  return Math.max(...joined(a).map((angle, index) => Math.abs(angle - (others[index] ?? angle))));
}
