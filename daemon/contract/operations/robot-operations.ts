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
import { at, type Operation, refused } from './operation.ts';

export const robotRefusals = {
  409: refused('An app or another program controls the robot'),
  503: refused('The robot is not available; see the error'),
};
export const outOfReach = refused('Out of reach; the robot stays where it is');
const notSimulated = refused('Only for a simulated robot');

/** Commands to the robot. */
export const robotOperations = {
  getRobot: {
    ...at('GET /api/robot', RobotReport),
    summary: 'The state of the robot and of its joints',
  },
  wakeUpRobot: {
    ...at('POST /api/robot/wake-up', MotionReport),
    summary: 'Switch torque on and move to the default position; replies when done. Restarts motors in fault',
    refusals: robotRefusals,
  },
  putRobotToSleep: {
    ...at('POST /api/robot/sleep', MotionReport),
    summary: 'Fold, then switch torque off; replies when done',
    refusals: robotRefusals,
  },
  stopRobot: {
    ...at('POST /api/robot/stop', RobotState),
    summary: 'Stop any motion at once, whichever program controls the robot',
  },
  gotoPosture: {
    ...at('POST /api/robot/goto', MotionReport),
    summary: 'Move to a posture in a given time (m, rad, s); replies when done',
    body: GotoRequest,
    refusals: { ...robotRefusals, 422: outOfReach },
  },
  setRobotTarget: {
    ...at('POST /api/robot/set-target', TargetReport),
    summary: 'Move to a posture at maximum speed (m, rad); replies at once. For streams, /ws/sdk is faster',
    body: SetTargetRequest,
    refusals: { ...robotRefusals, 422: outOfReach },
  },
  listMoves: {
    ...at('GET /api/robot/moves', z.array(OwnMove)),
    summary: "The recorded moves of the robot's own set: emotions first, then dances",
  },
  playMove: {
    ...at('POST /api/robot/moves/{name}/play', RobotState),
    summary: "Play a recorded move of the robot's own set; replies when it has begun. `stop` ends it",
    params: z.object({ name: z.string().max(64) }),
    body: PlayMoveRequest,
    refusals: { 404: refused('The robot has no such move'), ...robotRefusals },
  },
  listMotors: {
    ...at('GET /api/robot/motors', z.array(Motor)),
    summary: 'The nine motors with torque, mode, position (rad), voltage (V), temperature (°C) and faults',
  },
  setMotorTorque: {
    ...at('POST /api/robot/motors/torque', z.array(Motor)),
    summary: 'Switch motors on at their position, or off',
    body: SetTorqueRequest,
    refusals: robotRefusals,
  },
  touchAntenna: {
    ...at('POST /api/robot/simulation/touch', RobotState),
    summary: 'Push an antenna of a simulated robot, like a hand',
    query: z.object({ antenna: AntennaSide.default('right') }),
    refusals: { 409: notSimulated },
  },
  setSimulatedFaults: {
    ...at('PUT /api/robot/simulation/faults', SimulatedFaults),
    summary: 'Set the faults of a simulated robot; those not listed end',
    body: SimulatedFaults,
    refusals: { 409: notSimulated },
  },
} as const satisfies Record<string, Operation>;
