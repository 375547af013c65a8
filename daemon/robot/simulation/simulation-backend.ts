import type { RobotJoints } from '../../contract/robot.ts';
import { mapJoints } from '../joints.ts';
import { MAX_JOINT_SPEED_RAD_S } from '../kinematics/geometry.ts';
import type { RobotBackend } from '../robot-backend.ts';

/** How quickly a joint follows: after this time it has gone 63 % of the way. */
const LAG_S = 0.03;

/** The robot without the metal: nine joints that follow their targets with a lag and a greatest speed. */
export class SimulationBackend implements RobotBackend {
  readonly kind = 'simulation';
  #measured: RobotJoints;
  #torque = false;

  constructor(start: RobotJoints) {
    this.#measured = start;
  }

  get measured(): RobotJoints {
    return this.#measured;
  }

  get torque(): boolean {
    return this.#torque;
  }

  async setTorque(on: boolean): Promise<void> {
    this.#torque = on;
  }

  async exchange(target: RobotJoints, elapsedS: number): Promise<void> {
    if (!this.#torque) return;
    const follow = 1 - Math.exp(-elapsedS / LAG_S);
    const furthest = MAX_JOINT_SPEED_RAD_S * elapsedS;
    this.#measured = mapJoints(this.#measured, target, (from, to) => {
      const step = (to - from) * follow;
      return from + Math.min(furthest, Math.max(-furthest, step));
    });
  }

  async close(): Promise<void> {}
}
