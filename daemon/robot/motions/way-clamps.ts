import type { Clamp, PoseMatrix } from '../../contract/robot/robot.ts';
import { defaultPosture } from '../kinematics/geometry.ts';
import { angleBetween } from '../kinematics/pose.ts';
import type { InverseResult } from '../kinematics/stewart.ts';
import { bodyClamps, unreachableText } from './posture.ts';

/** Smaller clamps of the body come from rounding. */
const LEAST_RAD = 1e-3;

/** The clamps of head and body on the way of a recorded move: the first of the head, the largest of the body. */
export class WayClamps {
  #head: Clamp | null = null;
  #body: Clamp | null = null;
  #largestRad = LEAST_RAD;

  get all(): readonly Clamp[] {
    return [this.#head, this.#body].filter((clamp) => clamp !== null);
  }

  /** The head does not reach a wanted pose, and stays at the given one. */
  noteHead(wanted: PoseMatrix, given: PoseMatrix, reason: Extract<InverseResult, { reachable: false }>): void {
    this.#head ??= {
      part: 'head',
      wantedRad: angleBetween(wanted, defaultPosture.head),
      givenRad: angleBetween(given, defaultPosture.head),
      why: `The head waits while the move leaves its reach. ${unreachableText(reason)}`,
    };
  }

  /** The body is at a yaw, which may be the wanted one. @param headYawRad unwrapped */
  noteBody(wantedRad: number, givenRad: number, headYawRad: number): void {
    const awayRad = Math.abs(wantedRad - givenRad);
    if (awayRad <= this.#largestRad) return;
    this.#largestRad = awayRad;
    this.#body = bodyClamps(wantedRad, givenRad, headYawRad)[0] ?? null;
  }
}
