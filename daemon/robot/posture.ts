import type { Clamp, PoseMatrix, RobotJoints } from '../contract/robot/robot.ts';
import { defaultPosture, type Posture, sleepPosture } from './kinematics/geometry.ts';
import { antennaRange, bodyRange, bodyYawUnder, clamped } from './kinematics/limits.ts';
import { angleBetween, distanceBetween, isRigid, orthonormalised, rollPitchYawOf } from './kinematics/pose.ts';
import { inverseKinematics } from './kinematics/stewart.ts';

/** A change of the posture; omitted parts stay. Antennas [right, left] and body in radians. */
export interface PostureChange {
  readonly head?: PoseMatrix | null | undefined;
  readonly antennas?: readonly number[] | null | undefined;
  readonly bodyYaw?: number | null | undefined;
}

/** A reachable posture and the parts of the request that were clamped, or the reason why there is none. */
export type PostureResult =
  | { readonly reachable: true; readonly posture: Posture; readonly clamped: readonly Clamp[] }
  | { readonly reachable: false; readonly why: string };

/**
 * Applies a change to a posture. Antennas and body are clamped to their ranges, and the body turns with a head that
 * would otherwise turn more than 65° against it; both are reported. A head pose out of reach is refused.
 */
export function changedPosture(from: Posture, change: PostureChange): PostureResult {
  if (change.head && !isRigid(change.head)) {
    return unreachable('The head pose is not a rotation and a translation.');
  }
  const wanted = [change.bodyYaw ?? from.bodyYawRad, ...(change.antennas ?? from.antennas)];
  if (!wanted.every(Number.isFinite)) return unreachable('Every angle must be a number.');
  const [wantedYaw = 0, wantedRight = 0, wantedLeft = 0] = wanted;
  const head = change.head ? orthonormalised(change.head) : from.head; // programs round their numbers
  const posture = withinRanges({ head, antennas: [wantedRight, wantedLeft], bodyYawRad: wantedYaw });
  const { bodyYawRad } = posture;
  const inverse = inverseKinematics(head, bodyYawRad);
  // A limp head may rest in an unreachable pose, in which the antennas can still move.
  if (!inverse.reachable && (change.head || typeof change.bodyYaw === 'number')) {
    return unreachable(
      inverse.why === 'too-far'
        ? `The head cannot reach that pose: leg ${inverse.leg + 1} is too short for it.`
        : `The head cannot reach that pose: motor ${inverse.leg + 1} would leave its range.`,
    );
  }
  const [right, left] = posture.antennas;
  return {
    reachable: true,
    posture,
    clamped: [
      ...clamp('bodyYaw', wantedYaw, bodyYawRad, bodyClampReason(bodyYawRad)),
      ...clamp('rightAntenna', wantedRight, right, 'Its range is ±180°.'),
      ...clamp('leftAntenna', wantedLeft, left, 'Its range is ±180°.'),
    ],
  };
}

/** The nearest posture with body and antennas within their ranges and the same head pose. */
export function withinRanges({ head, antennas, bodyYawRad }: Posture): Posture {
  const { minRad, maxRad } = antennaRange;
  return {
    head,
    antennas: [clamped(antennas[0], minRad, maxRad), clamped(antennas[1], minRad, maxRad)],
    bodyYawRad: bodyYawUnder(rollPitchYawOf(head).yawRad, bodyYawRad),
  };
}

const unreachable = (why: string): PostureResult => ({ reachable: false, why });

const partNames: Readonly<Record<Clamp['part'], string>> = {
  bodyYaw: 'body',
  rightAntenna: 'right antenna',
  leftAntenna: 'left antenna',
};

function clamp(part: Clamp['part'], wantedRad: number, givenRad: number, why: string): Clamp[] {
  if (wantedRad === givenRad) return [];
  const given = `The ${partNames[part]} goes to ${degrees(givenRad)} instead of ${degrees(wantedRad)}.`;
  return [{ part, wantedRad, givenRad, why: `${given} ${why}` }];
}

const bodyClampReason = (givenRad: number) =>
  Math.abs(givenRad) < bodyRange.maxRad ? 'The head can turn 65° against it.' : 'Its range is ±160°.';

/** The joints of a posture, or null when the head is out of reach. */
export function jointsOf(posture: Posture): RobotJoints | null {
  const result = inverseKinematics(posture.head, posture.bodyYawRad);
  if (!result.reachable) return null;
  return { bodyYaw: posture.bodyYawRad, stewart: [...result.stewartRad], antennas: [...posture.antennas] };
}

/** The posture of the joints with a known head pose. */
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
