import type { RobotJoints } from '../contract/robot/robot.ts';
import { clamped, MAX_JOINT_SPEED_RAD_S } from './kinematics/limits.ts';
import { joined, jointsFrom } from './motors.ts';

/** A turn of the loop that comes late makes up for so much; the rest of the way takes longer. */
const LONGEST_STEP_S = 0.04;

/** What the joints are told next. */
export interface NextCommand {
  readonly command: RobotJoints;
  /** Whether a joint would have had to move faster than 8 rad/s. */
  readonly speedLimited: boolean;
}

/** The next command on the way to the wanted joints: none is told to move faster than 8 rad/s, however far a target jumps. */
export function nextCommand(command: RobotJoints, wanted: RobotJoints, elapsedS: number): NextCommand {
  const most = MAX_JOINT_SPEED_RAD_S * Math.min(elapsedS, LONGEST_STEP_S);
  const there = joined(wanted);
  let speedLimited = false;
  const angles = joined(command).map((from, index) => {
    const away = (there[index] ?? from) - from;
    speedLimited ||= Math.abs(away) > most;
    return from + clamped(away, -most, most);
  });
  return { command: jointsFrom(angles), speedLimited };
}

/** A command in which some joints, by their place on the bus, take their measured angle. */
export function pinned(command: RobotJoints, measured: RobotJoints, isPinned: (index: number) => boolean): RobotJoints {
  const here = joined(measured);
  return jointsFrom(joined(command).map((angle, index) => (isPinned(index) ? (here[index] ?? angle) : angle)));
}
