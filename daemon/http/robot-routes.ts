import type { Router } from 'express';
import type { OrderReport, RobotOrders } from '../apps/robot-orders.ts';
import { NotSimulated } from '../robot/errors.ts';
import type { Robot } from '../robot/robot.ts';
import type { Simulator } from '../robot/robot-backend.ts';
import { serve } from './serve.ts';

export interface RobotServices {
  readonly robot: Robot;
  readonly orders: RobotOrders;
}

export function robotRoutes(router: Router, { robot, orders }: RobotServices): void {
  const report = async (order: Promise<OrderReport>) => {
    const { outcome, clamped } = await order;
    return { outcome, clamped: [...clamped], robot: robot.state };
  };
  serve(router, 'getRobot', () => ({ robot: robot.state, pose: robot.pose }));
  serve(router, 'wakeUpRobot', () => report(orders.wakeUp()));
  serve(router, 'putRobotToSleep', () => report(orders.sleep()));
  serve(router, 'gotoPosture', ({ body }) => report(orders.goto(body, body)));
  serve(router, 'setRobotTarget', ({ body }) => ({ clamped: [...orders.setTarget(body)] }));
  serve(router, 'stopRobot', () => {
    orders.stop();
    return robot.state;
  });
  serve(router, 'listMotors', () => [...robot.motors]);
  serve(router, 'setMotorTorque', async ({ body }) => [...(await orders.setTorque(body.on, body.motors))]);
  serve(router, 'touchAntenna', ({ query }) => {
    simulatorOf(robot).touch(query.antenna);
    return robot.state;
  });
  serve(router, 'setSimulatedFaults', ({ body }) => {
    simulatorOf(robot).setFaults(body.faults);
    return body;
  });
}

function simulatorOf(robot: Robot): Simulator {
  if (!robot.simulator) throw new NotSimulated();
  return robot.simulator;
}
