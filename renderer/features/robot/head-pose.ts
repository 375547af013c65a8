import type { PoseMatrix } from '../../../daemon/contract/robot/robot.ts';
import { degrees } from '../../parts/format.ts';

/** In degrees and millimetres. Positive roll lifts the robot's left side, pitch looks down, yaw looks to its left. */
export interface HeadPose {
  readonly roll: number;
  readonly pitch: number;
  readonly yaw: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Reads a row-major matrix composed as yaw · pitch · roll. */
export function headPose(matrix: PoseMatrix): HeadPose {
  const at = (row: number, column: number) => matrix[row * 4 + column] ?? 0;
  return {
    roll: degrees(Math.atan2(at(2, 1), at(2, 2))),
    pitch: degrees(Math.asin(Math.max(-1, Math.min(1, -at(2, 0))))),
    yaw: degrees(Math.atan2(at(1, 0), at(0, 0))),
    x: at(0, 3) * 1000,
    y: at(1, 3) * 1000,
    z: at(2, 3) * 1000,
  };
}
