/**
 * The messages between a Python app and the daemon on `/ws/sdk`, one JSON object a text frame.
 * Angles in radians, lengths in metres, times in seconds. `sdk-examples.json` holds one of each
 * message; the tests of both sides read it.
 */
import * as z from 'zod';
import {
  BackendKind,
  Clamp,
  DroppedPart,
  IfBusy,
  LostParts,
  MotionOutcome,
  MotorName,
  motionParts,
  PoseMatrix,
  RobotJoints,
  RobotStateName,
  TargetAngle,
  targetParts,
  VolumePercent,
} from './robot.ts';

/** The version of these messages; the daemon refuses other versions. */
export const SDK_PROTOCOL = 1;

/** Identifies a request in its `done` or `error`. */
export const RequestId = z.string().max(64);

/** A request that is answered by a `done` or an `error`. */
function answered<const Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), id: RequestId, ...shape });
}

const SdkHello = z.object({
  type: z.literal('hello'),
  protocol: z.int(),
  sdkVersion: z.string(),
  /** The run token from the daemon; null for a program started by hand. */
  runToken: z.string().nullable(),
  /** The program's name, shown while it holds the slot. */
  clientName: z.string().max(200),
  /** The same in all connections of a program, which share the slot. Default: the connection shares it with no other. */
  programId: z.string().max(64).optional(),
});
const SdkSetTarget = z.object({ type: z.literal('set_target'), ...targetParts });
const SdkGotoTarget = answered('goto_target', {
  ...motionParts,
  /**
   * Whether the program asked for its `bodyYaw` of 0. Without it, a 0 beside another part is the default of the SDK: it
   * turns the body back unless another command wants the body.
   */
  bodyYawGiven: z.boolean().optional(),
});
/** Switches torque on and moves to the default position; replies when done. */
const SdkWakeUp = answered('wake_up', {});
/** Folds, then switches torque off; replies when done. */
const SdkGotoSleep = answered('goto_sleep', {});
/** Switches motors on at their position, or off; default: all motors. */
const SdkSetTorque = answered('set_torque', {
  on: z.boolean(),
  motors: z.array(MotorName).min(1).max(9).nullish(),
});
/** Lets the joints follow a hand and stay where it leaves them, until the next motion. */
const SdkSetGravityCompensation = answered('set_gravity_compensation', { enabled: z.boolean() });
/** Whether the body turns along with a head that would turn more than 65° against it; on again when the program leaves. */
const SdkSetAutomaticBodyYaw = answered('set_automatic_body_yaw', { enabled: z.boolean() });
/** Stops the motion at once. */
const SdkStopMotion = answered('stop_motion', {});

/** Most samples of one message, and of a move. */
export const MAX_MESSAGE_SAMPLES = 200;
export const MAX_MOVE_SAMPLES = 60_000;
/** The longest move, seconds. */
export const MAX_MOVE_S = 600;

/** The name of an upload, chosen by the program. */
const UploadName = z.string().max(64);
/** One value a sample; null: the move does not move this part. */
const samplesOf = <Value extends z.ZodType>(value: Value) => z.array(value).max(MAX_MESSAGE_SAMPLES).nullable();

/**
 * Appends samples to an upload, in the order of their times. A session has one upload: the first message with another name
 * discards it. There is no reply, unless the samples are refused: then an `error` without id comes, once, and `play_move`
 * is refused for the same reason.
 */
export const SdkMoveSamples = z.object({
  type: z.literal('move_samples'),
  move: UploadName,
  /** Seconds since the start of the move: 0 for its first sample, never falling, at most 600. */
  timesS: z.array(z.number().min(0).max(MAX_MOVE_S)).min(1).max(MAX_MESSAGE_SAMPLES),
  /** All messages of an upload have the same parts. */
  heads: samplesOf(PoseMatrix),
  /** [right, left] */
  antennas: samplesOf(z.array(TargetAngle).length(2)),
  bodyYaws: samplesOf(TargetAngle),
});
export type SdkMoveSamples = z.infer<typeof SdkMoveSamples>;
/**
 * Plays the upload and discards it; replies when the move has ended. It owns its parts until then, like a `goto_target`.
 * Between samples, positions, antennas and body are interpolated linearly, rotations on the shortest way.
 */
const SdkPlayMove = answered('play_move', {
  move: UploadName,
  /** The duration of a motion to the first sample, before the move begins; 0: none. */
  initialGotoS: z.number().min(0).max(MAX_MOVE_S),
  ifBusy: IfBusy.default('replace'),
});

/** From a program to the daemon. */
export const SdkRequest = z.discriminatedUnion('type', [
  SdkHello,
  SdkSetTarget,
  SdkGotoTarget,
  SdkMoveSamples,
  SdkPlayMove,
  SdkWakeUp,
  SdkGotoSleep,
  SdkSetTorque,
  SdkSetGravityCompensation,
  SdkSetAutomaticBodyYaw,
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
  /** Whether a joint moves at its speed limit. */
  speedLimited: z.boolean(),
  /** Seconds on the robot's steady clock. */
  timeS: z.number(),
});
export type SdkState = z.infer<typeof SdkState>;
const SdkWelcome = z.object({
  type: z.literal('welcome'),
  protocol: z.int(),
  daemonVersion: z.string(),
  backend: BackendKind,
  /** The current state, so that the joints are known from the first call. */
  state: SdkState,
});
/** The reply to a completed request with an id. `clamped` and `lost` are those of a `goto_target` or `play_move`. */
const SdkDone = z.object({
  type: z.literal('done'),
  id: z.string(),
  outcome: MotionOutcome,
  clamped: z.array(Clamp),
  lost: LostParts,
});
/**
 * The clamped parts of the last `set_target`, sent when they change, also to none. `dropped` has the parts of
 * `set_target` that are dropped because a motion owns them; each is sent once for a motion.
 */
const SdkClamped = z.object({
  type: z.literal('clamped'),
  clamped: z.array(Clamp),
  dropped: z.array(DroppedPart).min(1).optional(),
});
/** The volume of the robot's sounds, which the program plays; sent after the welcome, and when it changes. */
const SdkVolume = z.object({ type: z.literal('volume'), volume: VolumePercent });
/** Asks the app to stop (also by SIGINT, where it exists). */
const SdkStop = z.object({ type: z.literal('stop') });
const SdkError = z.object({
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
  /** The id of the request; null: none. */
  id: z.string().nullable(),
});

/** From the daemon to a program. */
export const SdkReply = z.discriminatedUnion('type', [
  SdkWelcome,
  SdkState,
  SdkDone,
  SdkClamped,
  SdkVolume,
  SdkStop,
  SdkError,
]);
export type SdkReply = z.infer<typeof SdkReply>;
