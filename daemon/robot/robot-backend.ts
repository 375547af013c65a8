import type {
  AntennaSide,
  BackendKind,
  Motor,
  MotorName,
  RobotJoints,
  SimulatedFault,
  SimulationReason,
} from '../contract/robot/robot.ts';

/** Whether the joints can be commanded, and if not, why not. */
export type Connection =
  | { readonly state: 'ready' }
  | {
      readonly state: 'disconnected' | 'error';
      /** Whether it is connecting, so that waiting for it makes sense. */
      readonly comingUp: boolean;
      /** Why, in one sentence. */
      readonly reason: string;
      /** The action for people, in one sentence; null when no action is needed. */
      readonly action: string | null;
      /** A terminal command that does it. */
      readonly command: string | null;
    };

/** Why a simulated robot stands in for a real one that is wanted. */
export interface StandIn {
  readonly why: Exclude<SimulationReason, 'chosen'>;
  /** The action for people to have a real robot, in one sentence; null when no action is needed. */
  readonly action: string | null;
  /** A terminal command that lets this user have it. */
  readonly command: string | null;
}

/** Drives the nine joints, by a simulation or servos on a bus. Only the control loop calls it. */
export interface RobotBackend {
  readonly kind: BackendKind;
  /** Absent or null: the robot is the wanted one. */
  readonly standIn?: StandIn | null;
  readonly connection: Connection;
  /** The last measured joints, radians; at first those of the sleeping robot. */
  readonly measured: RobotJoints;
  /** The last reported state of the nine motors, in the order of the bus. */
  readonly motors: readonly Motor[];
  /** The controls of a simulated robot; null for a real one. */
  readonly simulator: Simulator | null;
  /** Connects, and reconnects whenever the connection is lost, until it is closed. Calls back at every change. */
  open(onConnection: (connection: Connection) => void): void;
  /**
   * One tick of the control loop: commands the joints and measures them. Motors without torque are only measured.
   * Never throws: a lost connection is reported to the listener of `open`. Does nothing without a connection.
   */
  exchange(command: RobotJoints, elapsedS: number): Promise<void>;
  /**
   * Switches the torque of motors. Before a motor is switched on, its goal is set to its measured position, so that it
   * does not jump; a motor in fault is rebooted.
   * @throws RobotUnavailable when there is no connection, or a motor does not come back
   */
  setTorque(on: boolean, motors: readonly MotorName[]): Promise<void>;
  close(): Promise<void>;
}

/** Simulates touches and faults. */
export interface Simulator {
  /** Pushes an antenna inwards for a moment. */
  touch(antenna: AntennaSide): void;
  /** Sets the current faults; omitted ones end. */
  setFaults(faults: readonly SimulatedFault[]): void;
}
