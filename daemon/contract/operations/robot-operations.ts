import * as z from 'zod';
import { OwnMove, PlayMoveRequest } from '../robot/moves.ts';
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
import { at, badBody, badQuery, type Operation, refused } from './operation.ts';

const robotRefusals = {
  409: refused('An app or another program controls the robot'),
  503: refused('The robot is not available; see the error'),
};
const outOfReach = refused('Out of reach; the robot stays where it is');
const notSimulated = refused('Only for a simulated robot');

/** Commands to the robot. */
export const robotOperations = {
  getRobot: {
    ...at('GET /api/robot'),
    summary: 'The state of the robot and of its joints',
    success: { status: 200, schema: RobotReport },
  },
  wakeUpRobot: {
    ...at('POST /api/robot/wake-up'),
    summary: 'Switch torque on and move to the default position; replies when done. Restarts motors in fault',
    success: { status: 200, schema: MotionReport },
    refusals: robotRefusals,
  },
  putRobotToSleep: {
    ...at('POST /api/robot/sleep'),
    summary: 'Fold, then switch torque off; replies when done',
    success: { status: 200, schema: MotionReport },
    refusals: robotRefusals,
  },
  stopRobot: {
    ...at('POST /api/robot/stop'),
    summary: 'Stop any motion at once, whichever program controls the robot',
    success: { status: 200, schema: RobotState },
  },
  gotoPosture: {
    ...at('POST /api/robot/goto'),
    summary: 'Move to a posture in a given time (m, rad, s); replies when done',
    body: GotoRequest,
    success: { status: 200, schema: MotionReport },
    refusals: { 400: badBody, ...robotRefusals, 422: outOfReach },
  },
  setRobotTarget: {
    ...at('POST /api/robot/set-target'),
    summary: 'Move to a posture at maximum speed (m, rad); replies at once. For streams, /ws/sdk is faster',
    body: SetTargetRequest,
    success: { status: 200, schema: TargetReport },
    refusals: { 400: badBody, ...robotRefusals, 422: outOfReach },
  },
  listMoves: {
    ...at('GET /api/robot/moves'),
    summary: "The recorded moves of the robot's own set: emotions first, then dances",
    success: { status: 200, schema: z.array(OwnMove) },
  },
  playMove: {
    ...at('POST /api/robot/moves/{name}/play'),
    summary: "Play a recorded move of the robot's own set; replies when it has begun. `stop` ends it",
    params: z.object({ name: z.string().max(64) }),
    body: PlayMoveRequest,
    success: { status: 200, schema: RobotState },
    refusals: { 400: badBody, 404: refused('The robot has no such move'), ...robotRefusals },
  },
  listMotors: {
    ...at('GET /api/robot/motors'),
    summary: 'The nine motors with torque, mode, position (rad), voltage (V), temperature (°C) and faults',
    success: { status: 200, schema: z.array(Motor) },
  },
  setMotorTorque: {
    ...at('POST /api/robot/motors/torque'),
    summary: 'Switch motors on at their position, or off',
    body: SetTorqueRequest,
    success: { status: 200, schema: z.array(Motor) },
    refusals: { 400: badBody, ...robotRefusals },
  },
  touchAntenna: {
    ...at('POST /api/robot/simulation/touch'),
    summary: 'Push an antenna of a simulated robot, like a hand',
    query: z.object({ antenna: AntennaSide.default('right') }),
    success: { status: 200, schema: RobotState },
    refusals: { 400: badQuery, 409: notSimulated },
  },
  setSimulatedFaults: {
    ...at('PUT /api/robot/simulation/faults'),
    summary: 'Set the faults of a simulated robot; those not listed end',
    body: SimulatedFaults,
    success: { status: 200, schema: SimulatedFaults },
    refusals: { 400: badBody, 409: notSimulated },
  },
} as const satisfies Record<string, Operation>;
