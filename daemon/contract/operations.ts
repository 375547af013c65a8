import * as z from 'zod';
import { AppName, AppSlotState, InstalledApp, InstallRequest, OutputPage, SampleApp, StartupApp } from './apps.ts';
import { BodyError, QueryError, SimpleError } from './common.ts';
import { DaemonStatus } from './daemon.ts';
import { DaemonEvent } from './events.ts';
import { Job, JobLog } from './jobs.ts';
import {
  AntennaSide,
  GotoRequest,
  MotionReport,
  Motor,
  RobotReport,
  RobotState,
  SetTargetRequest,
  SetTorqueRequest,
  SimulatedFaults,
  TargetReport,
} from './robot.ts';

/** One operation of the daemon's REST interface. `path` has `{name}` for each path parameter. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly success: { readonly status: 200 | 202; readonly schema: z.ZodType; readonly contentType?: string };
  /** Refusals beyond those that every operation knows: 403 (foreign page), 404 (no such path), 405 and 500. */
  readonly refusals?: Readonly<Record<number, { readonly description: string; readonly schema: z.ZodType }>>;
}

const jobId = z.object({ jobId: z.string().max(64) });

const badBody = { description: 'Not what the body should be', schema: BodyError };
const robotRefusals = {
  409: { description: 'An app, or another program, has the robot', schema: SimpleError },
  503: { description: 'The robot cannot do that now: the text says why and what to do', schema: SimpleError },
};
const outOfReach = { description: 'Out of reach; the robot stays where it is', schema: SimpleError };
const notSimulated = { description: 'The robot is a real one', schema: SimpleError };

/** Every operation, by the name that the browser's client and OpenAPI give it. */
export const operations = {
  getDaemonStatus: {
    method: 'GET',
    path: '/api/daemon/status',
    summary: 'Who this daemon is and whether it can install apps',
    success: { status: 200, schema: DaemonStatus },
  },
  watchEvents: {
    method: 'GET',
    path: '/api/events',
    summary: 'Server-sent events: a snapshot first, then every change with its whole resource',
    success: { status: 200, schema: DaemonEvent, contentType: 'text/event-stream' },
  },
  listApps: {
    method: 'GET',
    path: '/api/apps/list',
    summary: 'The installed apps',
    success: { status: 200, schema: z.array(InstalledApp) },
  },
  listSampleApps: {
    method: 'GET',
    path: '/api/apps/samples',
    summary: 'The apps that travel with Robot Desktop',
    success: { status: 200, schema: z.array(SampleApp) },
  },
  installApp: {
    method: 'POST',
    path: '/api/apps/install',
    summary: 'Install or update an app; answers at once with the job that does it',
    body: InstallRequest,
    success: { status: 202, schema: Job },
    refusals: { 400: { description: 'Not an address that an app can be installed from', schema: BodyError } },
  },
  startApp: {
    method: 'POST',
    path: '/api/apps/start-app/{appName}',
    summary: 'Start an installed app',
    params: z.object({ appName: AppName }),
    success: { status: 200, schema: AppSlotState },
    refusals: {
      400: { description: 'Not a name', schema: BodyError },
      404: { description: 'Not installed', schema: SimpleError },
      409: { description: 'An app is already running, or the start was cancelled by a stop', schema: SimpleError },
      500: { description: 'Its process could not be started', schema: SimpleError },
      503: { description: 'The robot is not available, or the daemon is stopping', schema: SimpleError },
    },
  },
  stopCurrentApp: {
    method: 'POST',
    path: '/api/apps/stop-current-app',
    summary: 'Stop the running app; answers once it is gone and the robot is at its default position',
    query: z.object({ force: z.stringbool().optional().describe('No grace: end it now') }),
    success: { status: 200, schema: AppSlotState },
    refusals: {
      400: { description: 'Bad query', schema: QueryError },
      409: { description: 'No app is running', schema: SimpleError },
    },
  },
  getStartupApp: {
    method: 'GET',
    path: '/api/apps/startup-app',
    summary:
      'The app that starts when the robot first wakes up, and whenever an antenna of the sleeping robot is touched',
    success: { status: 200, schema: StartupApp },
  },
  setStartupApp: {
    method: 'PUT',
    path: '/api/apps/startup-app',
    summary: 'Choose that app, or none',
    body: StartupApp,
    success: { status: 200, schema: StartupApp },
    refusals: { 400: badBody, 404: { description: 'Not installed', schema: SimpleError } },
  },
  getAppSlot: {
    method: 'GET',
    path: '/api/apps/slot',
    summary: 'What occupies the one place for an app',
    success: { status: 200, schema: AppSlotState },
  },
  getAppOutput: {
    method: 'GET',
    path: '/api/apps/output',
    summary: 'Output of the current run, or of the last one; at most 500 lines a page',
    query: z.object({ after: z.coerce.number().int().min(0).optional().describe('Lines with a greater number') }),
    success: { status: 200, schema: OutputPage },
    refusals: { 400: { description: 'Bad query', schema: QueryError } },
  },
  listJobs: {
    method: 'GET',
    path: '/api/jobs',
    summary: 'Long work, newest first',
    success: { status: 200, schema: z.array(Job) },
  },
  getJob: {
    method: 'GET',
    path: '/api/jobs/{jobId}',
    summary: 'One job',
    params: jobId,
    success: { status: 200, schema: Job },
    refusals: { 404: { description: 'No such job', schema: SimpleError } },
  },
  getJobLog: {
    method: 'GET',
    path: '/api/jobs/{jobId}/log',
    summary: 'The log of a job',
    params: jobId,
    success: { status: 200, schema: JobLog },
    refusals: { 404: { description: 'No such job', schema: SimpleError } },
  },
  cancelJob: {
    method: 'POST',
    path: '/api/jobs/{jobId}/cancel',
    summary: 'Cancel a job; one that has ended stays as it is',
    params: jobId,
    success: { status: 200, schema: Job },
    refusals: { 404: { description: 'No such job', schema: SimpleError } },
  },
  getRobot: {
    method: 'GET',
    path: '/api/robot',
    summary: 'What the robot is up to and where its joints are',
    success: { status: 200, schema: RobotReport },
  },
  wakeUpRobot: {
    method: 'POST',
    path: '/api/robot/wake-up',
    summary: 'Torque on, to the default position; answers when that is over. Starts motors in fault again',
    success: { status: 200, schema: MotionReport },
    refusals: robotRefusals,
  },
  putRobotToSleep: {
    method: 'POST',
    path: '/api/robot/sleep',
    summary: 'Fold, then torque off; answers when that is over',
    success: { status: 200, schema: MotionReport },
    refusals: robotRefusals,
  },
  stopRobot: {
    method: 'POST',
    path: '/api/robot/stop',
    summary: 'End any motion where the robot is; possible whoever has the robot',
    success: { status: 200, schema: RobotState },
  },
  gotoPosture: {
    method: 'POST',
    path: '/api/robot/goto',
    summary: 'Move to a posture in a given time (m, rad, s); answers when that is over',
    body: GotoRequest,
    success: { status: 200, schema: MotionReport },
    refusals: { 400: badBody, ...robotRefusals, 422: outOfReach },
  },
  setRobotTarget: {
    method: 'POST',
    path: '/api/robot/set-target',
    summary: 'Go to a posture as fast as the joints may (m, rad); answers at once. For streams, /ws/sdk is faster',
    body: SetTargetRequest,
    success: { status: 200, schema: TargetReport },
    refusals: { 400: badBody, ...robotRefusals, 422: outOfReach },
  },
  listMotors: {
    method: 'GET',
    path: '/api/robot/motors',
    summary: 'The nine motors with torque, mode, position (rad), voltage (V), temperature (°C) and faults',
    success: { status: 200, schema: z.array(Motor) },
  },
  setMotorTorque: {
    method: 'POST',
    path: '/api/robot/motors/torque',
    summary: 'Switch motors on where they stand, or off',
    body: SetTorqueRequest,
    success: { status: 200, schema: z.array(Motor) },
    refusals: { 400: badBody, ...robotRefusals },
  },
  touchAntenna: {
    method: 'POST',
    path: '/api/robot/simulation/touch',
    summary: 'Push an antenna of a simulated robot, as a hand would',
    query: z.object({ antenna: AntennaSide.default('right') }),
    success: { status: 200, schema: RobotState },
    refusals: { 400: { description: 'Bad query', schema: QueryError }, 409: notSimulated },
  },
  setSimulatedFaults: {
    method: 'PUT',
    path: '/api/robot/simulation/faults',
    summary: 'Let things go wrong with a simulated robot; what is left out is well again',
    body: SimulatedFaults,
    success: { status: 200, schema: SimulatedFaults },
    refusals: { 400: badBody, 409: notSimulated },
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
