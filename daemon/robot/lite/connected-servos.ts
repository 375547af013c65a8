import type { RobotJoints } from '../../contract/robot/robot.ts';
import type { Logger } from '../../shared/logger.ts';
import { joined } from '../motors.ts';
import { learnStatus, rebootThoseThatLetGo } from './bring-up.ts';
import { motorsSilent, type NotReady } from './connection-text.ts';
import { type LiteMotor, POSITION, STATUS } from './lite-motor.ts';
import type { LiteTimes } from './lite-times.ts';
import { registers } from './registers.ts';
import type { ServoBus } from './servo-bus.ts';
import { ids, setGains } from './servo-configuration.ts';

/** Every tenth turn one motor is asked for all that it tells: each of the nine about every two seconds. */
const TURNS_A_STATUS = 10;
/** Some servos report, while they are limp, where they are instead of where they were told to go; that wavers. */
const PIN_TOLERANCE_STEPS = 20;

/** The nine motors of a robot that is up, and the line to them. Everything throws BusClosed once that is gone. */
export class ConnectedServos {
  readonly #bus: ServoBus;
  readonly #motors: readonly LiteMotor[];
  readonly #times: LiteTimes;
  readonly #log: Logger;
  readonly #silenced = Promise.withResolvers<NotReady>();
  readonly #alerted = new Set<LiteMotor>();
  #turn = 0;

  constructor(bus: ServoBus, motors: readonly LiteMotor[], times: LiteTimes, log: Logger) {
    this.#bus = bus;
    this.#motors = motors;
    this.#times = times;
    this.#log = log;
  }

  /** Resolves when motors have been silent for too long. */
  get silenced(): Promise<NotReady> {
    return this.#silenced.promise;
  }

  /** One sync write to the motors that hold, one sync read; and now and then one motor is asked for more. */
  async exchange(command: RobotJoints): Promise<void> {
    const angles = joined(command);
    const goals = new Map<number, number>();
    for (const [index, motor] of this.#motors.entries()) {
      const angleRad = angles[index];
      if (motor.torque && angleRad !== undefined) goals.set(motor.id, motor.goalSteps(angleRad));
    }
    if (goals.size > 0) await this.#bus.syncWrite(registers.goalPosition, goals);
    const answers = await this.#bus.syncRead(ids(this.#motors), POSITION);
    const nowMs = performance.now();
    for (const motor of this.#motors) {
      const status = answers.get(motor.id);
      if (status?.error === null) motor.takePosition(status.data);
      else motor.missed(nowMs);
      if (status && motor.takeAlert(status.alert)) this.#alerted.add(motor);
    }
    await this.#askOneForMore();
    this.#noticeSilence(nowMs);
  }

  /** Motors that are switched on stay where they are; those in fault are rebooted first. @throws ServosSilent, ServoRefused */
  async setTorque(on: boolean, motors: readonly LiteMotor[]): Promise<void> {
    try {
      if (on) await this.#switchOn(motors);
      else await this.#bus.writeAll(registers.torqueEnable, new Map(motors.map(({ id }) => [id, 0])));
    } finally {
      await learnStatus(this.#bus, motors);
    }
  }

  async #switchOn(motors: readonly LiteMotor[]): Promise<void> {
    const bus = this.#bus;
    await learnStatus(bus, motors);
    await rebootThoseThatLetGo(bus, motors, this.#times.rebootMs, this.#log);
    const limp = motors.filter(({ torque }) => !torque);
    await setGains(bus, limp); // one that lost its power for a moment has forgotten them
    const positions = await bus.readAll(ids(limp), POSITION);
    for (const motor of limp) {
      const bytes = positions.get(motor.id);
      if (bytes) motor.takePosition(bytes);
    }
    const pins = new Map(limp.map((motor) => [motor.id, motor.goalSteps(motor.positionRad)]));
    await bus.writeAll(registers.goalPosition, pins, PIN_TOLERANCE_STEPS);
    await bus.writeAll(registers.torqueEnable, new Map(limp.map(({ id }) => [id, 1])));
  }

  /** A motor that says something is wrong comes first; else each in turn. */
  async #askOneForMore(): Promise<void> {
    const [alerted] = this.#alerted;
    const turn = this.#turn++;
    const inTurn =
      turn % TURNS_A_STATUS === 0 ? this.#motors[(turn / TURNS_A_STATUS) % this.#motors.length] : undefined;
    const motor = alerted ?? inTurn;
    if (!motor) return;
    const bytes = await this.#bus.read(motor.id, STATUS);
    if (!bytes) return;
    motor.takeStatus(bytes);
    this.#alerted.delete(motor);
  }

  #noticeSilence(nowMs: number): void {
    const limitMs = this.#times.silenceMs;
    if (!this.#motors.some((motor) => motor.silentMs(nowMs) >= limitMs)) return;
    // They need not have fallen silent in the same turn.
    const silent = this.#motors.filter((motor) => motor.silentMs(nowMs) >= limitMs / 2);
    this.#silenced.resolve(motorsSilent(silent.map(({ name }) => name)));
  }
}
