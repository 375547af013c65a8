import * as z from 'zod';
import {
  AppInfo,
  AppStatus,
  FullState,
  FullStateQuery,
  HeadPose,
  MotorMode,
  MoveGoto,
  MoveId,
  MoveTarget,
  MoveTargetReply,
  PoseQuery,
} from '../aliases.ts';
import { SoundVolume, VolumePercent } from '../robot/robot.ts';
import { at, badBody, badPath, badQuery, type Operation, refused } from './operation.ts';

const refusals = {
  409: refused('An app or another program controls the robot'),
  503: refused('The robot is not available; see the error'),
};
const outOfReach = refused('Out of reach; the robot stays where it is');

/** Aliases for apps that call another daemon's addresses from inside. */
export const aliasOperations = {
  startGoto: {
    ...at('POST /api/move/goto'),
    summary: 'Start to move to a posture; replies at once with the id of the motion',
    aliasOf: '/api/robot/goto',
    body: MoveGoto,
    success: { status: 200, schema: MoveId },
    refusals: { 400: badBody, ...refusals, 422: outOfReach },
  },
  moveToTarget: {
    ...at('POST /api/move/set_target'),
    summary: 'Move to a posture at maximum speed; replies at once',
    aliasOf: '/api/robot/set-target',
    body: MoveTarget,
    success: { status: 200, schema: MoveTargetReply },
    refusals: { 400: badBody, ...refusals, 422: outOfReach },
  },
  listMotions: {
    ...at('GET /api/move/running'),
    summary: 'The motions under way that were started at these addresses',
    aliasOf: '/api/robot',
    success: { status: 200, schema: z.array(MoveId) },
  },
  stopMotion: {
    ...at('POST /api/move/stop'),
    summary: 'Stop the robot, if the motion is under way',
    aliasOf: '/api/robot/stop',
    body: MoveId,
    success: { status: 200, schema: z.object({ message: z.string() }) },
    refusals: { 400: badBody, 404: refused('No such motion is under way') },
  },
  startWakeUp: {
    ...at('POST /api/move/play/wake_up'),
    summary: 'Start to wake up; replies at once with the id of the motion',
    aliasOf: '/api/robot/wake-up',
    success: { status: 200, schema: MoveId },
    refusals,
  },
  startSleep: {
    ...at('POST /api/move/play/goto_sleep'),
    summary: 'Start to fold; replies at once with the id of the motion',
    aliasOf: '/api/robot/sleep',
    success: { status: 200, schema: MoveId },
    refusals,
  },
  startMove: {
    ...at('POST /api/move/play/recorded-move-dataset/{owner}/{dataset}/{name}'),
    summary: "Start a move of the robot's own set, whatever the dataset; replies at once with the id of the motion",
    aliasOf: '/api/robot/moves/{name}/play',
    params: z.object({ owner: z.string(), dataset: z.string(), name: z.string() }),
    success: { status: 200, schema: MoveId },
    refusals: { 400: badPath, 404: refused('The own set has no such move'), ...refusals },
  },
  listMoveNames: {
    ...at('GET /api/move/recorded-move-datasets/list/{owner}/{dataset}'),
    summary: "The names of the moves of the robot's own set, whatever the dataset",
    aliasOf: '/api/robot/moves',
    params: z.object({ owner: z.string(), dataset: z.string() }),
    success: { status: 200, schema: z.array(z.string()) },
    refusals: { 400: badPath },
  },
  getMotorMode: {
    ...at('GET /api/motors/status'),
    summary: 'Whether motors hold their position',
    aliasOf: '/api/robot/motors',
    success: { status: 200, schema: z.object({ mode: MotorMode }) },
  },
  setMotorMode: {
    ...at('POST /api/motors/set_mode/{mode}'),
    summary: 'Switch all motors on at their position, or off, or let them follow a hand',
    aliasOf: '/api/robot/motors/torque',
    params: z.object({ mode: MotorMode }),
    success: { status: 200, schema: z.object({ status: z.string() }) },
    refusals: { 400: badPath, ...refusals },
  },
  getFullState: {
    ...at('GET /api/state/full'),
    summary: 'The measured pose and joints (m, rad)',
    aliasOf: '/api/robot',
    query: FullStateQuery,
    success: { status: 200, schema: FullState },
    refusals: { 400: badQuery },
  },
  getPresentHeadPose: {
    ...at('GET /api/state/present_head_pose'),
    summary: 'The measured pose of the head (m, rad)',
    aliasOf: '/api/robot',
    query: PoseQuery,
    success: { status: 200, schema: HeadPose },
    refusals: { 400: badQuery },
  },
  getPresentBodyYaw: {
    ...at('GET /api/state/present_body_yaw'),
    summary: 'The measured yaw of the body (rad)',
    aliasOf: '/api/robot',
    success: { status: 200, schema: z.number() },
  },
  getPresentAntennas: {
    ...at('GET /api/state/present_antenna_joint_positions'),
    summary: 'The measured angles of the antennas, [right, left] (rad)',
    aliasOf: '/api/robot',
    success: { status: 200, schema: z.array(z.number()).length(2) },
  },
  getSoundDirection: {
    ...at('GET /api/state/doa'),
    summary: 'The direction of the latest sound: always null, since the robot has no sensor for it',
    success: { status: 200, schema: z.null() },
  },
  getCurrentAppStatus: {
    ...at('GET /api/apps/current-app-status'),
    summary: 'The app that runs, or that ended by itself; null: neither',
    aliasOf: '/api/apps/slot',
    success: { status: 200, schema: AppStatus.nullable() },
  },
  listInstalledApps: {
    ...at('GET /api/apps/list-available/installed'),
    summary: 'The installed apps',
    aliasOf: '/api/apps/list',
    success: { status: 200, schema: z.array(AppInfo) },
  },
  getVolume: {
    ...at('GET /api/volume/current'),
    summary: "The volume of the robot's sounds, percent",
    success: { status: 200, schema: SoundVolume },
  },
  setVolume: {
    saves: true,
    ...at('POST /api/volume/set'),
    summary: "Set the volume of the robot's sounds, percent; it is kept, and changes sounds that play",
    body: z.object({ volume: VolumePercent }),
    success: { status: 200, schema: SoundVolume },
    refusals: { 400: badBody },
  },
} as const satisfies Record<string, Operation>;
