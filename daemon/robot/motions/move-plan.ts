import type { TargetPart } from '../../contract/robot/robot.ts';
import type { Posture } from '../kinematics/geometry.ts';
import { headBetween, headOver, mix } from '../kinematics/interpolation.ts';
import type { MotionPlan } from './motion.ts';
import { antennaClamps, antennasBetween } from './posture.ts';
import type { RecordedMove } from './recorded-move.ts';
import { easedWay, joinedWay } from './way.ts';
import { WayClamps } from './way-clamps.ts';

/** The start of a recorded move. */
export interface MoveStart {
  /** The posture before it. */
  readonly from: Posture;
  readonly startS: number;
  /** The duration of a motion to the first sample; 0: none. */
  readonly initialGotoS: number;
  /** The name of a move of the robot's own set; null: another one. */
  readonly name: string | null;
}

/**
 * Plans a recorded move, and the motion to its first sample. Without body yaws, the body stays where it is as far as the
 * head lets it.
 */
export function movePlan(move: RecordedMove, { from, startS, initialGotoS, name }: MoveStart): MotionPlan {
  const has = (part: TargetPart) => move.parts.includes(part);
  const bodyYawAt = (timeS: number) => (has('bodyYaw') ? move.bodyYawAt(timeS) : from.bodyYawRad);
  const { durationS } = move;
  const bodyAtEndRad = bodyYawAt(durationS);
  const approach = { durationS: initialGotoS, method: 'minjerk' } as const;
  return {
    name: `playing ${name ?? 'a move'}`,
    move: name,
    parts: move.parts,
    head: has('head')
      ? joinedWay(
          easedWay(headOver(from.head, from.bodyYawRad), move.headAt(0, bodyYawAt(0)), headBetween, approach),
          initialGotoS,
          { to: move.headAt(durationS, bodyAtEndRad), at: (timeS, bodyYawRad) => move.headAt(timeS, bodyYawRad) },
        )
      : null,
    antennas: has('antennas')
      ? joinedWay(easedWay(from.antennas, move.antennasAt(0), antennasBetween, approach), initialGotoS, {
          to: move.antennasAt(durationS),
          at: (timeS) => move.antennasAt(timeS),
        })
      : null,
    bodyYaw: has('bodyYaw')
      ? joinedWay(easedWay(from.bodyYawRad, bodyYawAt(0), mix, approach), initialGotoS, {
          to: bodyAtEndRad,
          at: bodyYawAt,
        })
      : null,
    bodyWantedRad: bodyAtEndRad,
    clamped: has('antennas') ? antennaClamps(move.farthestAntennas()) : [],
    wayClamps: new WayClamps(),
    startS,
    durationS: initialGotoS + durationS,
    settle: false,
  };
}
