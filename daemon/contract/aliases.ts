/**
 * The shapes of the operations that apps for another daemon call: places in metres and angles in radians, names with
 * underscores, unknown members ignored.
 */
import * as z from 'zod';
import { named } from './common/common.ts';
import { InterpolationMethod, PoseMatrix, targetParts } from './robot/robot.ts';

/** An installed app. */
export const AppInfo = named('AppInfo', {
  name: z.string(),
  source_kind: z.literal('installed'),
  description: z.string(),
  url: z.null(),
  extra: z.object({
    /** The address of its settings page; null: it has none. */ custom_app_url: z.string().nullable(),
  }),
});
export type AppInfo = z.infer<typeof AppInfo>;

/** The app that runs, or that ended by itself. `error` has the reason of a crash. */
export const AppStatus = named('AppStatus', {
  info: AppInfo,
  state: z.enum(['starting', 'running', 'stopping', 'done', 'error']),
  error: z.string().nullable(),
});
export type AppStatus = z.infer<typeof AppStatus>;

/** A pose by its place and its roll, pitch and yaw about fixed axes, or as a matrix. */
export const HeadPose = z
  .union([
    z.strictObject({ m: PoseMatrix }),
    z.strictObject({
      x: z.number().default(0),
      y: z.number().default(0),
      z: z.number().default(0),
      roll: z.number().default(0),
      pitch: z.number().default(0),
      yaw: z.number().default(0),
    }),
  ])
  .meta({ id: 'HeadPose' });
export type HeadPose = z.infer<typeof HeadPose>;

const { antennas, bodyYaw } = targetParts;

export const MoveGoto = z
  .object({
    head_pose: HeadPose.nullish(),
    /** [right, left] */
    antennas,
    body_yaw: bodyYaw,
    /** Seconds. */
    duration: z.number().positive().max(600).default(0.5),
    interpolation: InterpolationMethod.default('minjerk'),
  })
  .refine((move) => [move.head_pose, move.antennas, move.body_yaw].some((part) => part != null), {
    message: 'Nothing to move: give at least one of head_pose, antennas and body_yaw.',
  })
  .meta({ id: 'MoveGoto' });

export const MoveTarget = named('MoveTarget', {
  target_head_pose: HeadPose.nullish(),
  /** [right, left] */
  target_antennas: antennas,
  target_body_yaw: bodyYaw,
});

/** A motion under way. */
export const MoveId = named('MoveId', { uuid: z.uuid() });

/** `ignored`: a motion owns every part of the target. */
export const MoveTargetReply = z
  .union([
    z.object({ status: z.literal('ok') }),
    z.object({ status: z.literal('ignored'), reason: z.literal('move_running') }),
  ])
  .meta({ id: 'MoveTargetReply' });

/** `disabled`: no motor holds its position. `gravity_compensation`: they follow a hand, and stay where it leaves them. */
export const MotorMode = z.enum(['enabled', 'disabled', 'gravity_compensation']).meta({ id: 'MotorMode' });
export type MotorMode = z.infer<typeof MotorMode>;

/** A flag of a query, as programs write it. */
const flag = (byDefault: boolean) => z.stringbool().default(byDefault);

/** The parts of the state to include. */
export const FullStateQuery = z.object({
  with_control_mode: flag(true),
  with_head_pose: flag(true),
  with_head_joints: flag(false),
  with_body_yaw: flag(true),
  with_antenna_positions: flag(true),
  /** Poses as matrices, not by angles. */
  use_pose_matrix: flag(false),
});
export type FullStateQuery = z.infer<typeof FullStateQuery>;

/** The form of a pose. */
export const PoseQuery = FullStateQuery.pick({ use_pose_matrix: true });

/** The measured state; a part that was not asked for, or that this robot cannot measure, is null. */
export const FullState = named('FullState', {
  control_mode: MotorMode.nullable(),
  head_pose: HeadPose.nullable(),
  /** The body's yaw and the six legs. */
  head_joints: z.array(z.number()).length(7).nullable(),
  body_yaw: z.number().nullable(),
  /** [right, left] */
  antennas_position: z.array(z.number()).length(2).nullable(),
  timestamp: z.iso.datetime(),
});
export type FullState = z.infer<typeof FullState>;
