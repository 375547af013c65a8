import type { RobotCommands } from '../../apps/robot-commands.ts';
import type { OwnMoves } from '../../robot/own-moves/own-moves.ts';
import type { Robot } from '../../robot/robot.ts';
import type { Routes } from './serve-operations.ts';

export interface RobotServices {
  readonly robot: Robot;
  readonly commands: RobotCommands;
  readonly ownMoves: OwnMoves;
}

export function robotRoutes({ robot, commands, ownMoves }: RobotServices) {
  return {
    getRobot: () => ({ robot: robot.state, pose: robot.pose }),
    wakeUpRobot: () => commands.wakeUp(),
    putRobotToSleep: () => commands.sleep(),
    gotoPosture: ({ body }, { response }) =>
      commands.goto(body, body, (listener) => void response.once('close', listener)),
    setRobotTarget: ({ body }) => commands.setTarget(body),
    stopRobot: () => commands.stop(),
    listMoves: () => ownMoves.list(),
    playMove: ({ params, body }) => commands.play(params.name, body.initialGotoS),
    listMotors: () => [...robot.motors],
    setMotorTorque: ({ body }) => commands.setTorque(body.on, body.motors),
    touchAntenna: ({ query }) => commands.touchSimulatedAntenna(query.antenna),
    setSimulatedFaults: ({ body }) => commands.setSimulatedFaults(body),
  } satisfies Partial<Routes>;
}
