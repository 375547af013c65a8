import * as z from 'zod';
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
} from '../robot/robot.ts';
import { badBody, badQuery, type Operation, refused } from './operation.ts';

const robotRefusals = {
  409: refused('An app, or another program, has the robot'),
  503: refused('The robot cannot do that now: the text says why and what to do'),
};
const outOfReach = refused('Out of reach; the robot stays where it is');
const notSimulated = refused('The robot is a real one');

/** What can be asked of the robot. */
export const robotOperations = {
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
    refusals: { 400: badQuery, 409: notSimulated },
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
