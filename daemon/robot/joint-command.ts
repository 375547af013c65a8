import type { RobotJoints } from '../contract/robot/robot.ts';
import { clamped, MAX_JOINT_SPEED_RAD_S } from './kinematics/limits.ts';
import { joined, jointsFrom } from './motors.ts';

/** Longest step of a late tick of the control loop; the remaining way takes longer. */
const LONGEST_STEP_S = 0.04;

/** The next command to the joints. */
export interface NextCommand {
  readonly command: RobotJoints;
  /** Whether a joint would have had to move faster than 8 rad/s. */
  readonly speedLimited: boolean;
}

/** The next command on the way to the wanted joints. No joint moves faster than 8 rad/s, however far a target jumps. */
export function nextCommand(command: RobotJoints, wanted: RobotJoints, elapsedS: number): NextCommand {
  const most = MAX_JOINT_SPEED_RAD_S * Math.min(elapsedS, LONGEST_STEP_S);
  const goals = joined(wanted);
  let speedLimited = false;
  const angles = joined(command).map((from, index) => {
    const away = (goals[index] ?? from) - from;
    speedLimited ||= Math.abs(away) > most;
    return from + clamped(away, -most, most);
  });
  return { command: jointsFrom(angles), speedLimited };
}

/**
 * How far a joint gives way to a hand before its command follows. Above the error of a servo that holds the head's
 * weight without an integral term, so that the head does not sink.
 */
const GIVE_RAD = 0.06;

/** The command for joints that a hand guides: each stays until it is pushed away, then follows, and stays where it is left. */
export function guidedCommand(command: RobotJoints, measured: RobotJoints): RobotJoints {
  const angles = joined(measured);
  return jointsFrom(
    joined(command).map((from, index) => {
      const at = angles[index] ?? from;
      return clamped(from, at - GIVE_RAD, at + GIVE_RAD);
    }),
  );
}

/** The command with the measured angle for some joints, chosen by their index on the bus. */
export function pinned(command: RobotJoints, measured: RobotJoints, isPinned: (index: number) => boolean): RobotJoints {
  const angles = joined(measured);
  return jointsFrom(joined(command).map((angle, index) => (isPinned(index) ? (angles[index] ?? angle) : angle)));
}
