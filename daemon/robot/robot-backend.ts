import type { RobotJoints } from '../contract/robot.ts';

/** What drives the nine joints: a simulation, or servos on a bus. */
export interface RobotBackend {
  readonly kind: 'simulation' | 'lite';
  /** The joints as measured last, radians. */
  readonly measured: RobotJoints;
  readonly torque: boolean;
  setTorque(on: boolean): Promise<void>;
  /** One turn of the control loop: commands the joints (without torque they do not follow) and measures them. */
  exchange(target: RobotJoints, elapsedS: number): Promise<void>;
  close(): Promise<void>;
}
