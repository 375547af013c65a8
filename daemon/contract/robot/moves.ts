import * as z from 'zod';
import { named, namedStrictly } from '../common/common.ts';
import { MAX_MOVE_S } from './sdk.ts';

export const MoveKind = z.enum(['emotion', 'dance']);
export type MoveKind = z.infer<typeof MoveKind>;

/** A recorded move of the robot's own set. */
export const OwnMove = named('OwnMove', {
  name: z.string(),
  kind: MoveKind,
  /** One sentence; may be empty. */
  description: z.string(),
  /** Without the motion to its first sample. */
  durationS: z.number(),
});
export type OwnMove = z.infer<typeof OwnMove>;

export const PlayMoveRequest = namedStrictly('PlayMoveRequest', {
  /** The duration of a motion to the first sample, before the move begins; 0: none. */
  initialGotoS: z.number().min(0).max(MAX_MOVE_S).default(1),
});
