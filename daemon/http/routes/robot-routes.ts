import { commandCaller } from '../security/command-caller.ts';
import type { Routes } from './serve-operations.ts';
import type { RouteServices } from './services.ts';

export function robotRoutes({ robot, commands, ownMoves }: RouteServices) {
  return {
    getRobot: () => ({ robot: robot.state, pose: robot.pose }),
    wakeUpRobot: (_input, { request }) => commands.wakeUp(commandCaller(request)),
    putRobotToSleep: (_input, { request }) => commands.sleep(commandCaller(request)),
    gotoPosture: ({ body }, { request, response }) =>
      commands.goto(commandCaller(request), body, body, (listener) => void response.once('close', listener)),
    setRobotTarget: ({ body }, { request }) => commands.setTarget(commandCaller(request), body),
    stopRobot: () => commands.stop(),
    listMoves: () => ownMoves.list(),
    playMove: async ({ params, body }, { request }) => {
      await commands.play(commandCaller(request), params.name, body.initialGotoS);
      return robot.state;
    },
    listMotors: () => [...robot.motors],
    setMotorTorque: ({ body }, { request }) => commands.setTorque(commandCaller(request), body.on, body.motors),
    touchAntenna: ({ query }) => commands.touchSimulatedAntenna(query.antenna),
    setSimulatedFaults: ({ body }) => commands.setSimulatedFaults(body),
  } satisfies Partial<Routes>;
}
