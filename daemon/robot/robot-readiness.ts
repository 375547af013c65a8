import type { RobotState } from '../contract/robot/robot.ts';
import { EventBus } from '../shared/async/event-bus.ts';
import { RobotUnavailable } from './errors.ts';
import type { JointDrive } from './joint-drive.ts';
import type { Connection, RobotBackend } from './robot-backend.ts';
import { type Phase, phaseText, unavailableReason } from './robot-condition.ts';

export interface RobotReadinessDeps {
  readonly backend: Pick<RobotBackend, 'connection'>;
  readonly drive: Pick<JointDrive, 'torque' | 'isGuided'>;
  readonly state: () => RobotState;
}

/** Refuses the commands that the robot cannot follow now, with the reason. */
export class RobotReadiness {
  readonly #deps: RobotReadinessDeps;
  readonly #connections = new EventBus<Connection>();
  #isParking = false;

  constructor(deps: RobotReadinessDeps) {
    this.#deps = deps;
  }

  /** Whether every command is refused, since the daemon is stopping. */
  get isParking(): boolean {
    return this.#isParking;
  }

  /** Refuses every command from now on. */
  park(): void {
    this.#isParking = true;
  }

  connectionChanged(connection: Connection): void {
    this.#connections.publish(connection);
  }

  /** Waits while the robot is connecting. @throws RobotUnavailable when it is not connected and not connecting */
  async connected(): Promise<void> {
    for (;;) {
      const { connection } = this.#deps.backend;
      if (connection.state === 'ready' || !connection.comingUp) break;
      await this.#connections.next();
    }
    this.requireConnection();
  }

  /** @throws RobotUnavailable unless it is connected */
  requireConnection(): void {
    const { backend, state } = this.#deps;
    if (this.#isParking) throw new RobotUnavailable('The daemon is stopping.');
    if (backend.connection.state !== 'ready') throw new RobotUnavailable(unavailableReason(state()));
  }

  /** @throws RobotUnavailable unless it is awake, with torque on a motor */
  requireAwake(): void {
    const { drive, state } = this.#deps;
    this.requireConnection();
    if (state().state !== 'awake') throw new RobotUnavailable(unavailableReason(state()));
    if (!drive.torque.someHold) throw new RobotUnavailable('The motors are switched off. Switch them on first.');
  }

  /** @throws RobotUnavailable unless it is awake, and not moved by hand */
  requireUnguided(): void {
    this.requireAwake();
    if (this.#deps.drive.isGuided)
      throw new RobotUnavailable('The robot is moved by hand. Switch gravity compensation off first.');
  }

  /** @throws RobotUnavailable unless it is awake, with torque on every motor */
  requireAllTorque(): void {
    this.requireAwake();
    if (!this.#deps.drive.torque.allHold)
      throw new RobotUnavailable('Some motors are switched off. Switch them on first.');
  }

  /** @throws RobotUnavailable while it wakes up or goes to sleep */
  requireSettled({ current, isUnderWay }: { readonly current: Phase; readonly isUnderWay: boolean }): void {
    if (isUnderWay) throw new RobotUnavailable(`The robot is ${phaseText(current)}. Wait until it has finished.`);
  }
}
