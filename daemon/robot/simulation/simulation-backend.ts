import type { Motor, MotorName, RobotJoints, SimulatedFault } from '../../contract/robot/robot.ts';
import { RobotUnavailable } from '../errors.ts';
import { notReady } from '../lite/connection-text.ts';
import { sleepJoints } from '../motions/posture.ts';
import { joined, jointsFrom, motorNames } from '../motors.ts';
import type { Connection, RobotBackend, Simulator } from '../robot-backend.ts';
import { randomNumbers } from './random-numbers.ts';
import { pushAntenna, sleepingServos } from './simulated-servo.ts';

/** The id of the first motor on a real bus. */
const FIRST_ID = 10;
/** Noise of a servo's encoder: a quarter of its step. */
const NOISE_RAD = 0.0004;

/** The simulated robot: nine motors with load, temperature and faults, in the time of the control loop. */
export class SimulationBackend implements RobotBackend {
  readonly kind = 'simulation';
  readonly simulator: Simulator;
  readonly #noiseRad: number;
  readonly #random = randomNumbers(1); // each run is the same
  readonly #servos = sleepingServos();
  #measured: RobotJoints = sleepJoints;
  #motors: readonly Motor[];
  #faults: readonly SimulatedFault[] = [];
  #connection: Connection = { state: 'ready' };
  #onConnection: (connection: Connection) => void = () => {};

  /** @param options.noiseRad noise of a measured angle, plus or minus; 0: none */
  constructor({ noiseRad = NOISE_RAD } = {}) {
    this.#noiseRad = noiseRad;
    this.#motors = this.#report();
    this.simulator = {
      touch: (antenna) => pushAntenna(this.#servos, antenna),
      setFaults: (faults) => this.#setFaults(faults),
    };
  }

  get connection(): Connection {
    return this.#connection;
  }

  get measured(): RobotJoints {
    return this.#measured;
  }

  get motors(): readonly Motor[] {
    return this.#motors;
  }

  open(onConnection: (connection: Connection) => void): void {
    this.#onConnection = onConnection;
    onConnection(this.#connection);
  }

  async exchange(command: RobotJoints, elapsedS: number): Promise<void> {
    const goals = joined(command);
    const reached = this.#connection.state === 'ready';
    for (const [index, servo] of this.#servos.entries()) {
      if (reached && this.#answers(motorNames[index])) servo.goalRad = goals[index] ?? servo.goalRad;
      servo.step(elapsedS);
    }
    if (reached) this.#measure();
  }

  async setTorque(on: boolean, motors: readonly MotorName[]): Promise<void> {
    if (this.#connection.state !== 'ready') throw new RobotUnavailable(this.#connection.reason);
    for (const [index, servo] of this.#servos.entries()) {
      if (!motors.includes(motorNames[index] as MotorName)) continue;
      if (on && servo.faults.length > 0) servo.reboot();
      if (on) servo.goalRad = servo.positionRad;
      servo.setTorque(on);
    }
    this.#fail(); // a motor that is still overloaded shuts down again
    this.#measure();
    const limp = this.#motors.find(({ name, torque }) => on && motors.includes(name) && !torque);
    if (limp) throw new RobotUnavailable(`The motor ${limp.name} does not switch on.`);
  }

  async close(): Promise<void> {}

  #measure(): void {
    const before = joined(this.#measured);
    this.#measured = jointsFrom(
      this.#servos.map((servo, index) =>
        this.#answers(motorNames[index])
          ? servo.positionRad + (this.#random() * 2 - 1) * this.#noiseRad
          : (before[index] ?? 0),
      ),
    );
    this.#motors = this.#report();
  }

  #report(): Motor[] {
    const angles = joined(this.#measured);
    return this.#servos.map((servo, index) => {
      const name = motorNames[index] as MotorName;
      return {
        name,
        id: FIRST_ID + index,
        answers: this.#answers(name),
        torque: servo.torque,
        mode: 'position',
        positionRad: angles[index] ?? 0,
        voltageV: servo.voltageV,
        temperatureC: servo.temperatureC,
        faults: [...servo.faults],
      };
    });
  }

  #setFaults(faults: readonly SimulatedFault[]): void {
    this.#faults = faults;
    this.#fail();
    this.#motors = this.#report();
    const connection = connectionWith(faults);
    if (JSON.stringify(connection) === JSON.stringify(this.#connection)) return;
    this.#connection = connection;
    this.#onConnection(connection);
  }

  #fail(): void {
    for (const fault of this.#faults) {
      if (fault.kind === 'overload') this.#servos[motorNames.indexOf(fault.motor)]?.fail('overload');
    }
  }

  #answers(name: MotorName | undefined): boolean {
    return !this.#faults.some((fault) => fault.kind === 'dead-servo' && fault.motor === name);
  }
}

/** The connection with these faults, described like that of the lite robot. */
function connectionWith(faults: readonly SimulatedFault[]): Connection {
  const has = (kind: SimulatedFault['kind']) => faults.some((fault) => fault.kind === kind);
  if (has('unplugged')) {
    return notReady('disconnected', 'The simulated robot is unplugged.', 'Remove this fault to plug it in again.');
  }
  if (has('silence')) {
    return notReady('disconnected', 'The simulated servos do not answer.', 'Remove this fault to reconnect them.');
  }
  const dead = faults.flatMap((fault) => (fault.kind === 'dead-servo' ? [fault.motor] : []));
  if (dead.length > 0) {
    return notReady('error', `The simulated ${dead.join(', ')} does not answer.`, 'Remove this fault to repair it.');
  }
  return { state: 'ready' };
}
