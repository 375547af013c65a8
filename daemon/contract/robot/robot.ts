import * as z from 'zod';
import { named, namedStrictly } from '../common/common.ts';

/** Radians. */
const Angle = z.number();

/** A pose as a 4×4 matrix, 16 numbers row by row; the translation in metres, in the frame of the neutral head. */
export const PoseMatrix = z.array(z.number()).length(16).meta({ id: 'PoseMatrix' });
export type PoseMatrix = z.infer<typeof PoseMatrix>;

/** The nine joints, in radians. */
export const RobotJoints = named('RobotJoints', {
  bodyYaw: Angle,
  stewart: z.array(Angle).length(6),
  /** [right, left] */
  antennas: z.array(Angle).length(2),
});
export type RobotJoints = z.infer<typeof RobotJoints>;

export const RobotStateName = z.enum(['asleep', 'waking', 'awake', 'going-to-sleep', 'disconnected', 'error']);

/** `simulation`: no hardware. `emulator`: the lite robot's own software on emulated servos. */
export const BackendKind = z.enum(['simulation', 'lite', 'emulator']);
export type BackendKind = z.infer<typeof BackendKind>;

/**
 * Why there is no real robot. `chosen`: the daemon was started with a simulated or emulated one. `robot-waiting`: a real
 * one is plugged in, and takes over when no app runs.
 */
export const SimulationReason = z.enum(['chosen', 'no-robot', 'robot-waiting']);
export type SimulationReason = z.infer<typeof SimulationReason>;

/** The state of the robot. */
export const RobotState = named('RobotState', {
  state: RobotStateName,
  /** Whether its motors accept commands: not while disconnected, nor in some errors. */
  connected: z.boolean(),
  /** Why it is disconnected, in error, or still folded although the daemon tried to wake it, in one sentence. */
  reason: z.string().nullable(),
  /** The action to take, in one sentence; with `no-robot` the action to have one. */
  action: z.string().nullable(),
  /** A terminal command for the action; null: none. */
  command: z.string().nullable(),
  backend: BackendKind,
  /** null: a real robot. */
  simulation: SimulationReason.nullable(),
  /** Whether every motor holds its position. */
  torque: z.boolean(),
  /** The first of the motions under way; null: the robot holds still or follows streamed targets. */
  motion: z.string().nullable(),
  /** The recorded move of the robot's own set that plays; null: none. */
  move: z.string().nullable(),
  /** Whether the robot stands in its default position, within 0.05 rad a joint. */
  atDefault: z.boolean(),
});
export type RobotState = z.infer<typeof RobotState>;

/** The measured pose. */
export const RobotPose = named('RobotPose', {
  joints: RobotJoints,
  head: PoseMatrix,
  /** Whether a joint moves at its speed limit, 8 rad/s. */
  speedLimited: z.boolean(),
  /** Seconds on the robot's own steady clock. */
  timeS: z.number(),
});
export type RobotPose = z.infer<typeof RobotPose>;

export const RobotReport = named('RobotReport', { robot: RobotState, pose: RobotPose });

/** In the order of the bus: the body, the six legs, the antennas. */
export const MotorName = z.enum([
  'body_rotation',
  'stewart_1',
  'stewart_2',
  'stewart_3',
  'stewart_4',
  'stewart_5',
  'stewart_6',
  'right_antenna',
  'left_antenna',
]);
export type MotorName = z.infer<typeof MotorName>;

/** A fault that a servo reports. With one of the last three it has switched its torque off. */
export const MotorFault = z.enum(['input-voltage', 'overheating', 'electrical-shock', 'overload']);
export type MotorFault = z.infer<typeof MotorFault>;

/** The last reported state of one servo. */
export const Motor = named('Motor', {
  name: MotorName,
  /** Its id on the bus. */
  id: z.int(),
  /** Whether it answered recently. */
  answers: z.boolean(),
  torque: z.boolean(),
  mode: z.enum(['position', 'current', 'current-based-position', 'other']),
  positionRad: Angle,
  voltageV: z.number().nullable(),
  temperatureC: z.number().nullable(),
  faults: z.array(MotorFault),
});
export type Motor = z.infer<typeof Motor>;

/**
 * A part of a target that was clamped to its limits. `head`: a recorded move wanted a head that is out of reach; its angles
 * are those of its rotation from the neutral head.
 */
export const Clamp = named('Clamp', {
  part: z.enum(['bodyYaw', 'rightAntenna', 'leftAntenna', 'head']),
  wantedRad: Angle,
  givenRad: Angle,
  /** The reason, in one sentence. */
  why: z.string(),
});
export type Clamp = z.infer<typeof Clamp>;

/** A part of the robot that moves for itself; one motion at a time owns it. Named like the fields of a target. */
export const TargetPart = z.enum(['head', 'antennas', 'bodyYaw']);
export type TargetPart = z.infer<typeof TargetPart>;

/** A part of a target that was dropped, because a motion owns it. */
export const DroppedPart = named('DroppedPart', {
  part: TargetPart,
  /** The reason, in one sentence. */
  why: z.string(),
});
export type DroppedPart = z.infer<typeof DroppedPart>;

export const InterpolationMethod = z.enum(['linear', 'minjerk', 'ease_in_out', 'cartoon']);
export type InterpolationMethod = z.infer<typeof InterpolationMethod>;

/** Whether a motion takes its parts from the motions that own them, or is refused if one of them is owned. */
export const IfBusy = z.enum(['replace', 'refuse']);
export type IfBusy = z.infer<typeof IfBusy>;

/** In radians; a larger value is a mistake. */
export const TargetAngle = z.number().min(-100).max(100);

/** An omitted or null part keeps its current target. */
export const targetParts = {
  head: PoseMatrix.nullish(),
  /** [right, left] */
  antennas: z.array(TargetAngle).length(2).nullish(),
  bodyYaw: TargetAngle.nullish(),
};

/** The parameters of a motion to a target in a given time. */
export const motionParts = {
  ...targetParts,
  durationS: z.number().positive().max(600),
  method: InterpolationMethod.default('minjerk'),
  ifBusy: IfBusy.default('replace'),
};

/** `replaced`: other motions took all of its parts. `stopped`: all motions were stopped. */
export const MotionOutcome = z.enum(['done', 'replaced', 'stopped']);
export type MotionOutcome = z.infer<typeof MotionOutcome>;

export const SetTargetRequest = namedStrictly('SetTargetRequest', targetParts);
export const GotoRequest = namedStrictly('GotoRequest', motionParts);

/** The parts of a motion that other motions took from it before it ended; omitted if there are none. */
export const LostParts = z.array(TargetPart).min(1).optional();

/** The outcome of a motion, the clamped parts of its target, and the parts that it lost. */
export const MotionReport = named('MotionReport', {
  outcome: MotionOutcome,
  clamped: z.array(Clamp),
  lost: LostParts,
  robot: RobotState,
});
export type MotionReport = z.infer<typeof MotionReport>;
/** The changes to a target. `dropped` is omitted if no part was dropped. */
export const TargetReport = named('TargetReport', {
  clamped: z.array(Clamp),
  dropped: z.array(DroppedPart).min(1).optional(),
});
export type TargetReport = z.infer<typeof TargetReport>;

export const SetTorqueRequest = namedStrictly('SetTorqueRequest', {
  on: z.boolean(),
  /** Default: all. */
  motors: z.array(MotorName).min(1).max(9).optional(),
});

export const AntennaSide = z.enum(['right', 'left']);
export type AntennaSide = z.infer<typeof AntennaSide>;

/** A fault to simulate on a simulated or emulated robot. */
export const SimulatedFault = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('dead-servo'), motor: MotorName }),
    z.strictObject({ kind: z.literal('overload'), motor: MotorName }),
    z.strictObject({ kind: z.literal('silence') }),
    z.strictObject({ kind: z.literal('unplugged') }),
  ])
  .meta({ id: 'SimulatedFault' });
export type SimulatedFault = z.infer<typeof SimulatedFault>;
export const SimulatedFaults = namedStrictly('SimulatedFaults', { faults: z.array(SimulatedFault).max(20) });
export type SimulatedFaults = z.infer<typeof SimulatedFaults>;

/** Percent: 0 is silent, 100 as loud as the sound itself. */
export const VolumePercent = z.int().min(0).max(100);

/** The volume of the sounds that programs play on the robot. */
export const SoundVolume = named('SoundVolume', {
  volume: VolumePercent,
  /** The system that the daemon runs on, such as `Linux`. */
  platform: z.string(),
  /** The sounds that the volume applies to. */
  device: z.string(),
});
export type SoundVolume = z.infer<typeof SoundVolume>;
