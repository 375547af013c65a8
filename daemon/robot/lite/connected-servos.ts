import type { RobotJoints } from '../../contract/robot/robot.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { joined } from '../motors.ts';
import { ids, readStatus, rebootFaulty, setGains } from './bring-up.ts';
import { motorsSilent, type NotReady } from './connection-text.ts';
import { type LiteMotor, POSITION, STATUS } from './lite-motor.ts';
import type { LiteTimes } from './lite-times.ts';
import { registers } from './registers.ts';
import type { ServoBus } from './servo-bus.ts';

/** Every tenth tick one motor's status is read, so each of the nine about every two seconds. */
const TICKS_PER_STATUS = 10;
/** Some limp servos report their present position as the goal position, which varies a little. */
const PIN_TOLERANCE_STEPS = 20;

interface ConnectedServosDeps {
  readonly bus: ServoBus;
  readonly motors: readonly LiteMotor[];
  readonly times: LiteTimes;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The nine motors of a connected robot, and the bus to them. Every method throws BusClosed once the line is closed. */
export class ConnectedServos {
  readonly #deps: ConnectedServosDeps;
  readonly #silenced = Promise.withResolvers<NotReady>();
  readonly #alerted = new Set<LiteMotor>();
  #tick = 0;

  constructor(deps: ConnectedServosDeps) {
    this.#deps = deps;
  }

  /** Resolves when motors have not answered for too long. */
  get silenced(): Promise<NotReady> {
    return this.#silenced.promise;
  }

  /** One sync write to the motors with torque and one sync read; now and then also the status of one motor. */
  async exchange(command: RobotJoints): Promise<void> {
    const angles = joined(command);
    const goals = new Map<number, number>();
    for (const [index, motor] of this.#deps.motors.entries()) {
      const angleRad = angles[index];
      if (motor.torque && angleRad !== undefined) goals.set(motor.id, motor.goalSteps(angleRad));
    }
    if (goals.size > 0) await this.#deps.bus.syncWrite(registers.goalPosition, goals);
    const answers = await this.#deps.bus.syncRead(ids(this.#deps.motors), POSITION);
    const nowMs = this.#deps.clock.elapsedMs();
    for (const motor of this.#deps.motors) {
      const status = answers.get(motor.id);
      if (status?.error === null) motor.takePosition(status.data);
      else motor.missed(nowMs);
      if (status && motor.takeAlert(status.alert)) this.#alerted.add(motor);
    }
    await this.#readOneStatus();
    this.#checkSilence(nowMs);
  }

  /**
   * Switches torque. A motor that is switched on stays where it is; one in fault is rebooted. @throws ServosSilent,
   * ServoRefused
   */
  async setTorque(on: boolean, motors: readonly LiteMotor[]): Promise<void> {
    try {
      if (on) await this.#switchOn(motors);
      else await this.#deps.bus.writeAll(registers.torqueEnable, new Map(motors.map(({ id }) => [id, 0])));
    } finally {
      await readStatus(this.#deps.bus, motors);
    }
  }

  async #switchOn(motors: readonly LiteMotor[]): Promise<void> {
    const bus = this.#deps.bus;
    await readStatus(bus, motors);
    await rebootFaulty(bus, motors, this.#deps.times.rebootMs, this.#deps.log);
    const limp = motors.filter(({ torque }) => !torque);
    await setGains(bus, limp); // a motor that lost its power has lost its gains
    const positions = await bus.readAll(ids(limp), POSITION);
    for (const motor of limp) {
      const bytes = positions.get(motor.id);
      if (bytes) motor.takePosition(bytes);
    }
    const pins = new Map(limp.map((motor) => [motor.id, motor.goalSteps(motor.positionRad)]));
    await bus.writeAll(registers.goalPosition, pins, PIN_TOLERANCE_STEPS);
    await bus.writeAll(registers.torqueEnable, new Map(limp.map(({ id }) => [id, 1])));
  }

  /** Reads the status of a motor with an alert, else of the next one. */
  async #readOneStatus(): Promise<void> {
    const [alerted] = this.#alerted;
    const tick = this.#tick++;
    const next =
      tick % TICKS_PER_STATUS === 0
        ? this.#deps.motors[(tick / TICKS_PER_STATUS) % this.#deps.motors.length]
        : undefined;
    const motor = alerted ?? next;
    if (!motor) return;
    const bytes = await this.#deps.bus.read(motor.id, STATUS);
    if (!bytes) return;
    motor.takeStatus(bytes);
    this.#alerted.delete(motor);
  }

  #checkSilence(nowMs: number): void {
    const limitMs = this.#deps.times.silenceMs;
    if (!this.#deps.motors.some((motor) => motor.silentMs(nowMs) >= limitMs)) return;
    // They need not have fallen silent in the same tick.
    const silent = this.#deps.motors.filter((motor) => motor.silentMs(nowMs) >= limitMs / 2);
    this.#silenced.resolve(motorsSilent(silent.map(({ name }) => name)));
  }
}
