import type { PoseMatrix, RobotJoints } from '../contract/robot.ts';
import { TargetUnreachable } from './errors.ts';
import { antennaRange, MAX_BODY_YAW_RAD, MAX_RELATIVE_YAW_RAD, type Posture } from './kinematics/geometry.ts';
import { angleBetween, distanceBetween, isRigid, rollPitchYawOf } from './kinematics/pose.ts';
import { inverseKinematics } from './kinematics/stewart.ts';

/** A wish: what is left out stays as it is. Antennas [right, left] and body in radians. */
export interface PostureChange {
  readonly head?: PoseMatrix | null | undefined;
  readonly antennas?: readonly number[] | null | undefined;
  readonly bodyYaw?: number | null | undefined;
}

/**
 * A posture changed by a wish. The body turns along when the head would leave it by more than 65°.
 * @throws TargetUnreachable naming what is out of reach, and by how much
 */
export function changedPosture(from: Posture, change: PostureChange): Posture {
  const head = change.head ?? from.head;
  if (!isRigid(head)) throw new TargetUnreachable('The head pose is not a rotation and a translation.');
  const [right = 0, left = 0] = change.antennas ?? from.antennas;
  for (const [name, angle] of [
    ['right', right],
    ['left', left],
  ] as const) {
    if (!(angle >= antennaRange.minRad && angle <= antennaRange.maxRad)) {
      throw new TargetUnreachable(`The ${name} antenna cannot go to ${degrees(angle)}: its range is ±180°.`);
    }
  }
  const wanted = change.bodyYaw ?? from.bodyYawRad;
  if (!(Math.abs(wanted) <= MAX_BODY_YAW_RAD)) {
    throw new TargetUnreachable(`The body cannot turn to ${degrees(wanted)}: its range is ±160°.`);
  }
  const posture: Posture = { head, antennas: [right, left], bodyYawRad: bodyYawUnder(head, wanted) };
  const result = inverseKinematics(posture.head, posture.bodyYawRad);
  if (!result.reachable) {
    throw new TargetUnreachable(
      result.why === 'too-far'
        ? `The head cannot reach that pose: leg ${result.leg + 1} is too short for it.`
        : `The head cannot reach that pose: motor ${result.leg + 1} would leave its range.`,
    );
  }
  return posture;
}

/** The joints of a posture, or null where the head is out of reach. */
export function jointsOf(posture: Posture): RobotJoints | null {
  const result = inverseKinematics(posture.head, posture.bodyYawRad);
  if (!result.reachable) return null;
  return { bodyYaw: posture.bodyYawRad, stewart: [...result.stewartRad], antennas: [...posture.antennas] };
}

/** How far apart two postures are, as the time a calm motion between them takes: 20 ms a millimetre or degree. */
export function calmDurationS(from: Posture, to: Posture): number {
  const headMm = distanceBetween(from.head, to.head) * 1000;
  const angles = [
    angleBetween(from.head, to.head),
    from.bodyYawRad - to.bodyYawRad,
    from.antennas[0] - to.antennas[0],
    from.antennas[1] - to.antennas[1],
  ];
  const [head = 0, ...others] = angles.map((angle) => (Math.abs(angle) * 180) / Math.PI);
  return 0.02 * Math.max(headMm + head, ...others.map((angle) => angle / 3));
}

function bodyYawUnder(head: PoseMatrix, wanted: number): number {
  const { yawRad } = rollPitchYawOf(head);
  const near = Math.min(yawRad + MAX_RELATIVE_YAW_RAD, Math.max(yawRad - MAX_RELATIVE_YAW_RAD, wanted));
  return Math.min(MAX_BODY_YAW_RAD, Math.max(-MAX_BODY_YAW_RAD, near));
}

const degrees = (angleRad: number) => `${Math.round((angleRad * 180) / Math.PI)}°`;
