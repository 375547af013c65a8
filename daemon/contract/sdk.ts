/**
 * What a Python app and the daemon say to each other on `/ws/sdk`, one JSON object a text frame.
 * Angles in radians, lengths in metres, times in seconds. `sdk-examples.json` holds one of each
 * message; the tests of both sides read it.
 */
import * as z from 'zod';
import { Angle, PoseMatrix, RobotJoints, RobotStateName } from './robot.ts';

/** The version of these messages; the daemon refuses a hello of another. */
export const SDK_PROTOCOL = 1;

export const InterpolationMethod = z.enum(['linear', 'minjerk', 'ease_in_out', 'cartoon']);
export type InterpolationMethod = z.infer<typeof InterpolationMethod>;

/** A part left out (or null) stays where it is told to be already. */
const target = {
  head: PoseMatrix.nullish(),
  /** [right, left] */
  antennas: z.array(Angle).length(2).nullish(),
  bodyYaw: Angle.nullish(),
};

export const SdkHello = z.object({
  type: z.literal('hello'),
  protocol: z.int(),
  sdkVersion: z.string(),
  /** The run token that the daemon gave the app it started; null for a program started by hand. */
  runToken: z.string().nullable(),
  /** What to call the program, shown while it holds the slot. */
  clientName: z.string().max(200),
});
export const SdkSetTarget = z.object({ type: z.literal('set_target'), ...target });
export const SdkGotoTarget = z.object({
  type: z.literal('goto_target'),
  id: z.string().max(64),
  ...target,
  durationS: z.number().positive().max(600),
  method: InterpolationMethod,
});

/** From a program to the daemon. */
export const SdkRequest = z.discriminatedUnion('type', [SdkHello, SdkSetTarget, SdkGotoTarget]);
export type SdkRequest = z.infer<typeof SdkRequest>;

export const SdkState = z.object({
  type: z.literal('state'),
  joints: RobotJoints,
  head: PoseMatrix,
  robot: RobotStateName,
  /** Seconds on the robot's steady clock. */
  timeS: z.number(),
});
export const SdkWelcome = z.object({
  type: z.literal('welcome'),
  protocol: z.int(),
  daemonVersion: z.string(),
  backend: z.enum(['simulation', 'lite']),
  /** The state at this moment: a connected robot has its joints from the first call. */
  state: SdkState,
});
/** A `goto_target` ended: `done`, or `replaced` by another motion. */
export const SdkDone = z.object({ type: z.literal('done'), id: z.string(), outcome: z.enum(['done', 'replaced']) });
/** The app is asked to stop (also by SIGINT, where there is one). */
export const SdkStop = z.object({ type: z.literal('stop') });
export const SdkError = z.object({
  type: z.literal('error'),
  code: z.enum(['bad-message', 'bad-protocol', 'unknown-run', 'slot-taken', 'unreachable', 'robot-unavailable']),
  message: z.string(),
  /** The `goto_target` it answers, or null. */
  id: z.string().nullable(),
});

/** From the daemon to a program. */
export const SdkReply = z.discriminatedUnion('type', [SdkWelcome, SdkState, SdkDone, SdkStop, SdkError]);
export type SdkReply = z.infer<typeof SdkReply>;
