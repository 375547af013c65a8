import type { Router } from 'express';
import type { RobotOrders } from '../apps/robot-orders.ts';
import type { Robot } from '../robot/robot.ts';
import { serve } from './serve.ts';

export interface RobotServices {
  readonly robot: Robot;
  readonly orders: RobotOrders;
}

export function robotRoutes(router: Router, { robot, orders }: RobotServices): void {
  serve(router, 'getRobot', () => ({ robot: robot.state, pose: robot.pose }));
  serve(router, 'wakeUpRobot', () => orders.wakeUp());
  serve(router, 'putRobotToSleep', () => orders.sleep());
  serve(router, 'gotoPosture', ({ body }) => orders.goto(body, body));
  serve(router, 'setRobotTarget', ({ body }) => orders.setTarget(body));
  serve(router, 'stopRobot', () => orders.stop());
  serve(router, 'listMotors', () => [...robot.motors]);
  serve(router, 'setMotorTorque', ({ body }) => orders.setTorque(body.on, body.motors));
  serve(router, 'touchAntenna', ({ query }) => orders.touchSimulatedAntenna(query.antenna));
  serve(router, 'setSimulatedFaults', ({ body }) => orders.setSimulatedFaults(body));
}
