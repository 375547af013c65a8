import type { RobotOrders } from '../../apps/robot-commands.ts';
import type { Robot } from '../../robot/robot.ts';
import type { Routes } from './serve.ts';

export interface RobotServices {
  readonly robot: Robot;
  readonly orders: RobotOrders;
}

export function robotRoutes({ robot, orders }: RobotServices) {
  return {
    getRobot: () => ({ robot: robot.state, pose: robot.pose }),
    wakeUpRobot: () => orders.wakeUp(),
    putRobotToSleep: () => orders.sleep(),
    gotoPosture: ({ body }) => orders.goto(body, body),
    setRobotTarget: ({ body }) => orders.setTarget(body),
    stopRobot: () => orders.stop(),
    listMotors: () => [...robot.motors],
    setMotorTorque: ({ body }) => orders.setTorque(body.on, body.motors),
    touchAntenna: ({ query }) => orders.touchSimulatedAntenna(query.antenna),
    setSimulatedFaults: ({ body }) => orders.setSimulatedFaults(body),
  } satisfies Partial<Routes>;
}
