import type { MotionsById } from '../../apps/robot-commands.ts';
import type { AppInfo, AppStatus, FullState, FullStateQuery, HeadPose, MotorMode } from '../../contract/aliases.ts';
import type { AppSlotState, SlotHolder } from '../../contract/apps/app-slot.ts';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { PoseMatrix, RobotPose } from '../../contract/robot/robot.ts';
import { poseFrom, rollPitchYawOf } from '../../robot/kinematics/pose.ts';
import type { Robot } from '../../robot/robot.ts';
import { commandCaller } from '../security/command-caller.ts';
import type { Routes } from './serve-operations.ts';
import type { RouteServices } from './services.ts';

/** The way to the first sample of a recorded move. */
const MOVE_TO_START_S = 0.5;

export function aliasRoutes({ robot, commands, motions, ownMoves, volume, apps, clock }: RouteServices) {
  const started = async (motion: Promise<Parameters<MotionsById['keep']>[0]>) => ({
    uuid: await motions.keep(await motion),
  });
  return {
    startGoto: ({ body }, { request }) => {
      const { head_pose, antennas, body_yaw, duration, interpolation } = body;
      const change = { head: head_pose && matrixOf(head_pose), antennas, bodyYaw: body_yaw };
      const options = { durationS: duration, method: interpolation, ifBusy: 'replace' } as const;
      return started(commands.startGoto(commandCaller(request), change, options));
    },
    moveToTarget: async ({ body }, { request }) => {
      const { target_head_pose, target_antennas, target_body_yaw } = body;
      const head = target_head_pose && matrixOf(target_head_pose);
      const change = { head, antennas: target_antennas, bodyYaw: target_body_yaw };
      const given = Object.values(change).filter((part) => part != null).length;
      const { dropped = [] } = await commands.setTarget(commandCaller(request), change);
      if (given > 0 && dropped.length === given) return { status: 'ignored', reason: 'move_running' };
      return { status: 'ok' };
    },
    listMotions: () => motions.ids.map((uuid) => ({ uuid })),
    stopMotion: ({ body }) => {
      motions.stop(body.uuid);
      return { message: 'Stopped.' };
    },
    startWakeUp: (_input, { request }) => started(commands.startWakeUp(commandCaller(request))),
    startSleep: (_input, { request }) => started(commands.startSleep(commandCaller(request))),
    startMove: ({ params }, { request }) =>
      started(commands.play(commandCaller(request), params.name, MOVE_TO_START_S)),
    listMoveNames: async () => (await ownMoves.list()).map(({ name }) => name),
    getMotorMode: () => ({ mode: motorModeOf(robot) }),
    setMotorMode: async ({ params }, { request }) => {
      await commands.setMode(commandCaller(request), params.mode);
      return { status: `motors changed to ${params.mode} mode` };
    },
    getFullState: ({ query }) => ({
      ...stateOf(robot.pose, query),
      control_mode: query.with_control_mode ? motorModeOf(robot) : null,
      timestamp: clock.now().toISOString(),
    }),
    getPresentHeadPose: ({ query }) => headPoseOf(robot.pose.head, query.use_pose_matrix),
    getPresentBodyYaw: () => robot.pose.joints.bodyYaw,
    getPresentAntennas: () => [...robot.pose.joints.antennas],
    getSoundDirection: () => null,
    getCurrentAppStatus: () => appStatusOf(apps.slot.state, apps.installed.list()),
    listInstalledApps: () => apps.installed.list().map((app) => appInfoOf(app.name, app)),
    getVolume: () => volume.report,
    setVolume: ({ body }) => volume.set(body.volume),
  } satisfies Partial<Routes>;
}

function matrixOf(pose: HeadPose): PoseMatrix {
  if ('m' in pose) return pose.m;
  return poseFrom({ rollRad: pose.roll, pitchRad: pose.pitch, yawRad: pose.yaw }, [pose.x, pose.y, pose.z]);
}

function stateOf({ head, joints }: RobotPose, query: FullStateQuery): Omit<FullState, 'control_mode' | 'timestamp'> {
  return {
    head_pose: query.with_head_pose ? headPoseOf(head, query.use_pose_matrix) : null,
    head_joints: query.with_head_joints ? [joints.bodyYaw, ...joints.stewart] : null,
    body_yaw: query.with_body_yaw ? joints.bodyYaw : null,
    antennas_position: query.with_antenna_positions ? joints.antennas : null,
  };
}

function headPoseOf(head: PoseMatrix, asMatrix: boolean): HeadPose {
  if (asMatrix) return { m: head };
  const { rollRad, pitchRad, yawRad } = rollPitchYawOf(head);
  const [x = 0, y = 0, z = 0] = [head[3], head[7], head[11]];
  return { x, y, z, roll: rollRad, pitch: pitchRad, yaw: yawRad };
}

function motorModeOf(robot: Robot): MotorMode {
  if (robot.isGuided) return 'gravity_compensation';
  return robot.motors.some(({ torque }) => torque) ? 'enabled' : 'disabled';
}

/** The app that runs, or that ended by itself; null: neither, or it was stopped. */
export function appStatusOf(slot: AppSlotState, apps: readonly InstalledApp[]): AppStatus | null {
  const named = (name: string) => apps.find((app) => app.name === name);
  const infoOf = (name: string) => appInfoOf(name, named(name));
  if (slot.state !== 'free') return { info: infoOf(holderName(slot.holder)), state: slot.state, error: null };
  const run = slot.lastRun;
  if (run?.outcome === 'finished') return { info: infoOf(run.appName), state: 'done', error: null };
  if (run?.outcome === 'crashed') return { info: infoOf(run.appName), state: 'error', error: run.message };
  return null;
}

/** @param app undefined: it is not installed, or not any more */
function appInfoOf(name: string, app: InstalledApp | undefined): AppInfo {
  const page = app?.settingsPage;
  return {
    name,
    source_kind: 'installed',
    description: app?.description ?? '',
    url: null,
    extra: { custom_app_url: page ? `http://localhost:${page.port}${page.path}` : null },
  };
}

const holderName = (holder: SlotHolder) => (holder.kind === 'managed-app' ? holder.appName : holder.name);
