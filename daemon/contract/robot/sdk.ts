/**
 * What a Python app and the daemon say to each other on `/ws/sdk`, one JSON object a text frame.
 * Angles in radians, lengths in metres, times in seconds. `sdk-examples.json` holds one of each
 * message; the tests of both sides read it.
 */
import * as z from 'zod';
import {
  BackendKind,
  Clamp,
  MotionOutcome,
  MotorName,
  motionParts,
  PoseMatrix,
  RobotJoints,
  RobotStateName,
  targetParts,
} from './robot.ts';

/** The version of these messages; the daemon refuses a hello of another. */
export const SDK_PROTOCOL = 1;

/** Names a request, so that its `done` or its `error` is told apart. */
const RequestId = z.string().max(64);

export const SdkHello = z.object({
  type: z.literal('hello'),
  protocol: z.int(),
  sdkVersion: z.string(),
  /** The run token that the daemon gave the app it started; null for a program started by hand. */
  runToken: z.string().nullable(),
  /** What to call the program, shown while it holds the slot. */
  clientName: z.string().max(200),
});
export const SdkSetTarget = z.object({ type: z.literal('set_target'), ...targetParts });
export const SdkGotoTarget = z.object({ type: z.literal('goto_target'), id: RequestId, ...motionParts });
/** Torque on, to the default position; answered when it is there. */
export const SdkWakeUp = z.object({ type: z.literal('wake_up'), id: RequestId });
/** To the parked position, torque off; answered when it is folded. */
export const SdkGotoSleep = z.object({ type: z.literal('goto_sleep'), id: RequestId });
/** Switches motors on where they stand, or off; all of them when none is named. */
export const SdkSetTorque = z.object({
  type: z.literal('set_torque'),
  id: RequestId,
  on: z.boolean(),
  motors: z.array(MotorName).min(1).max(9).nullish(),
});
/** Ends a motion where the robot is. */
export const SdkStopMotion = z.object({ type: z.literal('stop_motion'), id: RequestId });

/** From a program to the daemon. */
export const SdkRequest = z.discriminatedUnion('type', [
  SdkHello,
  SdkSetTarget,
  SdkGotoTarget,
  SdkWakeUp,
  SdkGotoSleep,
  SdkSetTorque,
  SdkStopMotion,
]);
export type SdkRequest = z.infer<typeof SdkRequest>;

export const SdkState = z.object({
  type: z.literal('state'),
  joints: RobotJoints,
  head: PoseMatrix,
  robot: RobotStateName,
  /** Whether every motor holds its position. */
  torque: z.boolean(),
  /** Whether a joint is held to its greatest speed on its way to a target that is further. */
  speedLimited: z.boolean(),
  /** Seconds on the robot's steady clock. */
  timeS: z.number(),
});
export type SdkState = z.infer<typeof SdkState>;
export const SdkWelcome = z.object({
  type: z.literal('welcome'),
  protocol: z.int(),
  daemonVersion: z.string(),
  backend: BackendKind,
  /** The state at this moment: a connected robot has its joints from the first call. */
  state: SdkState,
});
/** A request with an id was carried out. What of a `goto_target` was taken otherwise than asked for is in `clamped`. */
export const SdkDone = z.object({
  type: z.literal('done'),
  id: z.string(),
  outcome: MotionOutcome,
  clamped: z.array(Clamp),
});
/** What of the last `set_target` was taken otherwise than asked for; told when other parts are, also when none is. */
export const SdkClamped = z.object({ type: z.literal('clamped'), clamped: z.array(Clamp) });
/** The app is asked to stop (also by SIGINT, where there is one). */
export const SdkStop = z.object({ type: z.literal('stop') });
export const SdkError = z.object({
  type: z.literal('error'),
  code: z.enum([
    'bad-message',
    'bad-protocol',
    'unknown-run',
    'slot-taken',
    'busy',
    'unreachable',
    'robot-unavailable',
  ]),
  message: z.string(),
  /** The request it answers, or null. */
  id: z.string().nullable(),
});

/** From the daemon to a program. */
export const SdkReply = z.discriminatedUnion('type', [SdkWelcome, SdkState, SdkDone, SdkClamped, SdkStop, SdkError]);
export type SdkReply = z.infer<typeof SdkReply>;
