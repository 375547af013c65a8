import type { Clamp, PoseMatrix, RobotJoints } from '../../contract/robot/robot.ts';
import { defaultPosture, type Posture, sleepPosture } from '../kinematics/geometry.ts';
import { mix } from '../kinematics/interpolation.ts';
import { antennaRange, bodyRange, bodyYawWithin, clamped } from '../kinematics/limits.ts';
import { angleBetween, distanceBetween, isRigid, orthonormalised } from '../kinematics/pose.ts';
import { type InverseResult, inverseKinematics } from '../kinematics/stewart.ts';
import { TargetUnreachable } from './errors.ts';

/** A change of the posture; omitted parts stay. Antennas [right, left] and body in radians. */
export interface PostureChange {
  readonly head?: PoseMatrix | null | undefined;
  readonly antennas?: readonly number[] | null | undefined;
  readonly bodyYaw?: number | null | undefined;
}

export type Antennas = readonly [right: number, left: number];

/** The parts of a change; null: omitted. */
export interface ChangedParts {
  readonly head: PoseMatrix | null;
  readonly antennas: Antennas | null;
  readonly bodyYaw: number | null;
}

/** The parts of a change, the head as an exact rotation. @throws TargetUnreachable when one is no pose or no angle */
export function partsOf({ head = null, antennas = null, bodyYaw = null }: PostureChange): ChangedParts {
  if (head && !isRigid(head)) throw new TargetUnreachable('The head pose is not a rotation and a translation.');
  if (![bodyYaw ?? 0, ...(antennas ?? [])].every(Number.isFinite)) {
    throw new TargetUnreachable('Every angle must be a number.');
  }
  return {
    head: head && orthonormalised(head), // programs round their numbers
    antennas: antennas && [antennas[0] ?? 0, antennas[1] ?? 0],
    bodyYaw,
  };
}

/** Why a head pose cannot be reached, in one sentence. */
export function unreachableText(inverse: Extract<InverseResult, { reachable: false }>): string {
  switch (inverse.why) {
    case 'turned-too-far':
      return 'The head cannot turn more than 65° against the body, which does not turn along: automatic body yaw is off.';
    case 'too-far':
      return `The head cannot reach that pose: leg ${inverse.leg + 1} is too short for it.`;
    case 'joint-limit':
      return `The head cannot reach that pose: motor ${inverse.leg + 1} would leave its range.`;
  }
}

export function antennasWithin([right, left]: Antennas): Antennas {
  const { minRad, maxRad } = antennaRange;
  return [clamped(right, minRad, maxRad), clamped(left, minRad, maxRad)];
}

/** The antennas at a share of the way between two others. */
export function antennasBetween(from: Antennas, to: Antennas, share: number): Antennas {
  return [mix(from[0], to[0], share), mix(from[1], to[1], share)];
}

/** The clamped antennas, if any. */
export function antennaClamps(wanted: Antennas | null): Clamp[] {
  if (!wanted) return [];
  const [right, left] = antennasWithin(wanted);
  return [
    ...clamp('rightAntenna', wanted[0], right, 'Its range is ±180°.'),
    ...clamp('leftAntenna', wanted[1], left, 'Its range is ±180°.'),
  ];
}

/** The clamp of a body that does not get the wanted yaw, if it does not. @param headYawRad unwrapped */
export function bodyClamps(wantedRad: number, givenRad: number, headYawRad: number): Clamp[] {
  return clamp('bodyYaw', wantedRad, givenRad, bodyClampReason(wantedRad, givenRad, headYawRad));
}

function bodyClampReason(wantedRad: number, givenRad: number, headYawRad: number): string {
  if (Math.abs(givenRad) >= bodyRange.maxRad) return 'Its range is ±160°.';
  if (bodyYawWithin(headYawRad, wantedRad) === wantedRad) return 'The head cannot hold its pose over it.';
  return 'The head can turn 65° against it.';
}

const partNames: Readonly<Record<Clamp['part'], string>> = {
  bodyYaw: 'body',
  rightAntenna: 'right antenna',
  leftAntenna: 'left antenna',
  head: 'head',
};

function clamp(part: Clamp['part'], wantedRad: number, givenRad: number, why: string): Clamp[] {
  if (wantedRad === givenRad) return [];
  const given = `The ${partNames[part]} goes to ${degrees(givenRad)} instead of ${degrees(wantedRad)}.`;
  return [{ part, wantedRad, givenRad, why: `${given} ${why}` }];
}

/** The joints of a posture, or null when the head is out of reach. */
export function jointsOf(posture: Posture): RobotJoints | null {
  const result = inverseKinematics(posture.head, posture.bodyYawRad);
  if (!result.reachable) return null;
  return { bodyYaw: posture.bodyYawRad, stewart: [...result.stewartRad], antennas: [...posture.antennas] };
}

export function postureOf({ bodyYaw, antennas }: RobotJoints, head: PoseMatrix): Posture {
  return { head, antennas: [antennas[0] ?? 0, antennas[1] ?? 0], bodyYawRad: bodyYaw };
}

export const defaultJoints = jointsOf(defaultPosture) as RobotJoints;
export const sleepJoints = jointsOf(sleepPosture) as RobotJoints;

/** Duration of a calm motion between two postures, seconds: 20 ms per millimetre or degree. */
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

const degrees = (angleRad: number) => `${Math.round((angleRad * 180) / Math.PI)}°`;
