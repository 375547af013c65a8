import * as z from 'zod';

/** Radians. */
export const Angle = z.number();

/** A pose as a 4×4 matrix, 16 numbers row by row; the translation in metres, in the frame of the neutral head. */
export const PoseMatrix = z.array(z.number()).length(16).meta({ id: 'PoseMatrix' });
export type PoseMatrix = z.infer<typeof PoseMatrix>;

/** The nine joints, in radians. */
export const RobotJoints = z
  .object({
    bodyYaw: Angle,
    stewart: z.array(Angle).length(6),
    /** [right, left] */
    antennas: z.array(Angle).length(2),
  })
  .meta({ id: 'RobotJoints' });
export type RobotJoints = z.infer<typeof RobotJoints>;

export const RobotStateName = z.enum(['asleep', 'waking', 'awake', 'going-to-sleep', 'disconnected', 'error']);
export type RobotStateName = z.infer<typeof RobotStateName>;

/** What the robot is up to. */
export const RobotState = z
  .object({
    state: RobotStateName,
    /** Why it is disconnected or in error, in one sentence. */
    reason: z.string().nullable(),
    backend: z.enum(['simulation', 'lite']),
    torque: z.boolean(),
    /** The motion under way, or null when it holds still or follows streamed targets. */
    motion: z.string().nullable(),
    /** Whether the robot stands in its default position, within 0.02 rad a joint. */
    atDefault: z.boolean(),
  })
  .meta({ id: 'RobotState' });
export type RobotState = z.infer<typeof RobotState>;

/** Where the robot is, as measured. */
export const RobotPose = z
  .object({ joints: RobotJoints, head: PoseMatrix, /** Seconds on the robot's own steady clock. */ timeS: z.number() })
  .meta({ id: 'RobotPose' });
export type RobotPose = z.infer<typeof RobotPose>;

export const RobotReport = z.object({ robot: RobotState, pose: RobotPose }).meta({ id: 'RobotReport' });
