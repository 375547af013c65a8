import type { RobotJoints } from '../../../daemon/contract/robot/robot.ts';

export interface Joint {
  readonly name: string;
  /** Limits and position in radians. */
  readonly min: number;
  readonly max: number;
  readonly position: (joints: RobotJoints) => number;
}

const stewart = (index: number, min: number, max: number): Joint => ({
  name: `Stewart ${index + 1}`,
  min,
  max,
  position: (joints) => joints.stewart[index] ?? 0,
});

const antenna = (name: string, index: number): Joint => ({
  name,
  min: -Math.PI,
  max: Math.PI,
  position: (joints) => joints.antennas[index] ?? 0,
});

/** The nine joints and their limits. Stewart 1 to 6 carry the head. */
export const joints: readonly Joint[] = [
  { name: 'Body yaw', min: -2.79253, max: 2.79253, position: ({ bodyYaw }) => bodyYaw },
  stewart(0, -0.837758, 1.39626),
  stewart(1, -1.39626, 1.22173),
  stewart(2, -0.837758, 1.39626),
  stewart(3, -1.39626, 0.837758),
  stewart(4, -1.22173, 1.39626),
  stewart(5, -1.39626, 0.837758),
  antenna('Right antenna', 0),
  antenna('Left antenna', 1),
];
