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
import { at, type Operation, refused } from './operation.ts';
import { outOfReach, robotRefusals } from './robot-operations.ts';

/** Aliases for apps that call another daemon's addresses from inside. */
export const aliasOperations = {
  startGoto: {
    ...at('POST /api/move/goto', MoveId),
    summary: 'Start to move to a posture; replies at once with the id of the motion',
    aliasOf: '/api/robot/goto',
    body: MoveGoto,
    refusals: { ...robotRefusals, 422: outOfReach },
  },
  moveToTarget: {
    ...at('POST /api/move/set_target', MoveTargetReply),
    summary: 'Move to a posture at maximum speed; replies at once',
    aliasOf: '/api/robot/set-target',
    body: MoveTarget,
    refusals: { ...robotRefusals, 422: outOfReach },
  },
  listMotions: {
    ...at('GET /api/move/running', z.array(MoveId)),
    summary: 'The motions under way that were started at these addresses',
    aliasOf: '/api/robot',
  },
  stopMotion: {
    ...at('POST /api/move/stop', z.object({ message: z.string() })),
    summary: 'Stop the robot, if the motion is under way',
    aliasOf: '/api/robot/stop',
    body: MoveId,
    refusals: { 404: refused('No such motion is under way') },
  },
  startWakeUp: {
    ...at('POST /api/move/play/wake_up', MoveId),
    summary: 'Start to wake up; replies at once with the id of the motion',
    aliasOf: '/api/robot/wake-up',
    refusals: robotRefusals,
  },
  startSleep: {
    ...at('POST /api/move/play/goto_sleep', MoveId),
    summary: 'Start to fold; replies at once with the id of the motion',
    aliasOf: '/api/robot/sleep',
    refusals: robotRefusals,
  },
  startMove: {
    ...at('POST /api/move/play/recorded-move-dataset/{owner}/{dataset}/{name}', MoveId),
    summary: "Start a move of the robot's own set, whatever the dataset; replies at once with the id of the motion",
    aliasOf: '/api/robot/moves/{name}/play',
    params: z.object({ owner: z.string(), dataset: z.string(), name: z.string() }),
    refusals: { 404: refused('The own set has no such move'), ...robotRefusals },
  },
  listMoveNames: {
    ...at('GET /api/move/recorded-move-datasets/list/{owner}/{dataset}', z.array(z.string())),
    summary: "The names of the moves of the robot's own set, whatever the dataset",
    aliasOf: '/api/robot/moves',
    params: z.object({ owner: z.string(), dataset: z.string() }),
  },
  getMotorMode: {
    ...at('GET /api/motors/status', z.object({ mode: MotorMode })),
    summary: 'Whether motors hold their position',
    aliasOf: '/api/robot/motors',
  },
  setMotorMode: {
    ...at('POST /api/motors/set_mode/{mode}', z.object({ status: z.string() })),
    summary: 'Switch all motors on at their position, or off, or let them follow a hand',
    aliasOf: '/api/robot/motors/torque',
    params: z.object({ mode: MotorMode }),
    refusals: robotRefusals,
  },
  getFullState: {
    ...at('GET /api/state/full', FullState),
    summary: 'The measured pose and joints (m, rad)',
    aliasOf: '/api/robot',
    query: FullStateQuery,
  },
  getPresentHeadPose: {
    ...at('GET /api/state/present_head_pose', HeadPose),
    summary: 'The measured pose of the head (m, rad)',
    aliasOf: '/api/robot',
    query: PoseQuery,
  },
  getPresentBodyYaw: {
    ...at('GET /api/state/present_body_yaw', z.number()),
    summary: 'The measured yaw of the body (rad)',
    aliasOf: '/api/robot',
  },
  getPresentAntennas: {
    ...at('GET /api/state/present_antenna_joint_positions', z.array(z.number()).length(2)),
    summary: 'The measured angles of the antennas, [right, left] (rad)',
    aliasOf: '/api/robot',
  },
  getSoundDirection: {
    ...at('GET /api/state/doa', z.null()),
    summary: 'The direction of the latest sound: always null, since the robot has no sensor for it',
  },
  getCurrentAppStatus: {
    ...at('GET /api/apps/current-app-status', AppStatus.nullable()),
    summary: 'The app that runs, or that ended by itself; null: neither',
    aliasOf: '/api/apps/slot',
  },
  listInstalledApps: {
    ...at('GET /api/apps/list-available/installed', z.array(AppInfo)),
    summary: 'The installed apps',
    aliasOf: '/api/apps/list',
  },
  getVolume: {
    ...at('GET /api/volume/current', SoundVolume),
    summary: "The volume of the robot's sounds, percent",
  },
  setVolume: {
    saves: true,
    ...at('POST /api/volume/set', SoundVolume),
    summary: "Set the volume of the robot's sounds, percent; it is kept, and changes sounds that play",
    body: z.object({ volume: VolumePercent }),
  },
} as const satisfies Record<string, Operation>;
