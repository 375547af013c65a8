import type { PoseMatrix, RobotJoints } from '../../contract/robot/robot.ts';
import { type Posture, sleepPosture } from '../kinematics/geometry.ts';
import { type HeadTarget, headOver } from '../kinematics/interpolation.ts';
import { bodyRange, bodyYawUnder, bodyYawWithin, clamped, isWithinBody } from '../kinematics/limits.ts';
import { rollPitchYawOf } from '../kinematics/pose.ts';
import { type InverseResult, inverseKinematics } from '../kinematics/stewart.ts';
import { type Antennas, antennasWithin } from './posture.ts';

/** A head, the body fitted under it, and the motors of the head, if they can hold it there. */
export interface Placement {
  readonly head: HeadTarget;
  readonly bodyYawRad: number;
  readonly inverse: InverseResult;
}

/** A head on the side of the back on which a body at `bodyYawRad` is nearest. */
export function headNear(pose: PoseMatrix, bodyYawRad: number): HeadTarget {
  return headOver(pose, bodyYawUnder(rollPitchYawOf(pose).yawRad, bodyYawRad));
}

/** Angles closer than this are the same. */
const SAME_RAD = 1e-9;

/**
 * The target of the joints, by its parts. Head and body stay at the last target that the joints can reach while the
 * wanted one is out of reach; the antennas go on.
 */
export class TargetPosture {
  #posture: Posture = sleepPosture;
  #head: HeadTarget = headOver(sleepPosture.head, sleepPosture.bodyYawRad);
  #bodyWantedRad = sleepPosture.bodyYawRad;
  #bodyGoalRad = sleepPosture.bodyYawRad;
  /** The motors of the head; null: the head is out of their reach, and stays. */
  #stewartRad: readonly number[] | null = null;
  /** Whether the body turns along with a head that would turn more than 65° against it. */
  bodyGivesWay = true;

  /** The target that the joints approach. */
  get posture(): Posture {
    return this.#posture;
  }

  /** The wanted head, which may be out of reach. */
  get head(): HeadTarget {
    return this.#head;
  }

  /** The yaw that the body was to have at last, as far as the head lets it. */
  get bodyWantedRad(): number {
    return this.#bodyWantedRad;
  }

  /** The yaw that the body has once its motion is over, as far as the head lets it. */
  get bodyGoalRad(): number {
    return this.#bodyGoalRad;
  }

  /** Fits the body under a head, which is a pose in the world. */
  placed(head: HeadTarget, bodyWantedRad: number): Placement {
    const bodyYawRad = this.#bodyUnder(head.yawRad, bodyWantedRad);
    const inverse: InverseResult = isWithinBody(head.yawRad, bodyYawRad)
      ? inverseKinematics(head.pose, bodyYawRad)
      : { reachable: false, why: 'turned-too-far' };
    return { head, bodyYawRad, inverse };
  }

  /** The joints of the target. A head that is out of reach from the start stays as in the `command`. */
  joints(command: RobotJoints): RobotJoints {
    const antennas = [...this.#posture.antennas];
    if (!this.#stewartRad) return { ...command, antennas };
    return { bodyYaw: this.#posture.bodyYawRad, stewart: [...this.#stewartRad], antennas };
  }

  set(posture: Posture): void {
    const { head, bodyYawRad } = posture;
    const inverse = inverseKinematics(head, bodyYawRad);
    this.#posture = posture;
    this.#head = headOver(head, bodyYawRad);
    this.#bodyWantedRad = bodyYawRad;
    this.#bodyGoalRad = bodyYawRad;
    this.#stewartRad = inverse.reachable ? inverse.stewartRad : null;
  }

  moveAntennas(antennas: Antennas): void {
    this.#posture = { ...this.#posture, antennas: antennasWithin(antennas) };
  }

  /** Moves head and body, if the joints can reach them. */
  moveHeadAndBody(head: HeadTarget, bodyWantedRad: number): Placement {
    const place = this.placed(head, bodyWantedRad);
    this.#head = head;
    this.#bodyWantedRad = bodyWantedRad;
    if (place.inverse.reachable) {
      this.#stewartRad = place.inverse.stewartRad;
      this.#posture = { ...this.#posture, head: head.pose, bodyYawRad: place.bodyYawRad };
    }
    return place;
  }

  /** Sets where the body is to be in the end. */
  aimBody(goalRad: number): void {
    this.#bodyGoalRad = clamped(goalRad, bodyRange.minRad, bodyRange.maxRad);
  }

  /**
   * No motion moves the body any more. It stays where it is: it keeps its goal only if that is where the goal puts it.
   */
  settleBody(): void {
    const { bodyYawRad } = this.#posture;
    const isThere = Math.abs(this.#bodyUnder(this.#head.yawRad, this.#bodyGoalRad) - bodyYawRad) <= SAME_RAD;
    if (!isThere) this.#bodyGoalRad = bodyYawRad;
    this.#bodyWantedRad = this.#bodyGoalRad;
  }

  #bodyUnder(headYawRad: number, wantedRad: number): number {
    if (this.bodyGivesWay) return bodyYawWithin(headYawRad, wantedRad);
    return clamped(wantedRad, bodyRange.minRad, bodyRange.maxRad);
  }
}
