import type {
  AntennaSide,
  BackendKind,
  Motor,
  MotorName,
  RobotJoints,
  SimulatedFault,
} from '../contract/robot/robot.ts';

/** Whether the joints can be commanded, and if not, why not. */
export type Connection =
  | { readonly state: 'ready' }
  | {
      readonly state: 'disconnected' | 'error';
      /** Whether it is on its way up, so that waiting for it makes sense. */
      readonly comingUp: boolean;
      /** Why, in one sentence. */
      readonly reason: string;
      /** The one thing to do about it, in one sentence; null: nothing, it comes by itself. */
      readonly action: string | null;
      /** A command for a terminal that does it. */
      readonly command: string | null;
    };

/** What drives the nine joints: a simulation, or servos on a bus. One caller at a time: the control loop. */
export interface RobotBackend {
  readonly kind: BackendKind;
  readonly connection: Connection;
  /** The joints as measured last, radians; at first those of the sleeping robot. */
  readonly measured: RobotJoints;
  /** The nine motors, in the order of the bus, as they answered last. */
  readonly motors: readonly Motor[];
  /** What only a simulated robot can do. */
  readonly simulator: Simulator | null;
  /** Connects, and connects again whenever the connection is lost, until it is closed. Calls back at every change. */
  open(onConnection: (connection: Connection) => void): void;
  /**
   * One turn of the control loop: commands the joints and measures them. Motors without torque are measured only.
   * Never throws: a connection that is lost is told to `open`'s listener. Does nothing while there is none.
   */
  exchange(command: RobotJoints, elapsedS: number): Promise<void>;
  /**
   * Switches motors. Those that are switched on are told to stay where they are measured to be first, so that nothing
   * snaps; one that is in fault is rebooted first.
   * @throws RobotUnavailable when there is no connection, or a motor does not come back
   */
  setTorque(on: boolean, motors: readonly MotorName[]): Promise<void>;
  close(): Promise<void>;
}

/** The hand and the bad luck that a simulated robot meets. */
export interface Simulator {
  /** Pushes an antenna inwards, for a moment. */
  touch(antenna: AntennaSide): void;
  /** What goes wrong from now on; what is left out is well again. */
  setFaults(faults: readonly SimulatedFault[]): void;
}
