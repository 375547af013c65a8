import { type Clock, sleepOn } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { lowVoltage, type NotReady, starting, supplyComingUp } from './connection-text.ts';
import type { Hardware, MotorHardware } from './hardware.ts';
import { type LiteMotor, STATUS } from './lite-motor.ts';
import type { LiteTimes } from './lite-times.ts';
import { type Register, readNumber, registers } from './registers.ts';
import { type ServoBus, ServoRefused, span } from './servo-bus.ts';

/** The robot could not be brought up, with the reason for people. */
export class BringUpFailed extends Error {
  readonly connection: NotReady;

  constructor(connection: NotReady) {
    super(connection.reason);
    this.connection = connection;
  }
}

interface BringUp {
  readonly bus: ServoBus;
  /** Their state is updated. */
  readonly motors: readonly LiteMotor[];
  readonly hardware: Hardware;
  readonly times: LiteTimes;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onProgress: (connection: NotReady) => void;
  readonly signal: AbortSignal;
}

/**
 * Brings up the robot on an open line: all nine motors answer, have power and no faults, and are configured. A motor
 * with torque keeps it: the daemon may have been killed while the robot was awake, and the head must not drop.
 * @throws BringUpFailed, ServosSilent, ServoRefused, BusClosed
 */
export async function bringUp(parts: BringUp): Promise<void> {
  const { bus, motors, hardware, times, log, onProgress } = parts;
  await bus.readAll(ids(motors), span(registers.id));
  onProgress(starting);
  await waitForSupply(parts);
  await readStatus(bus, motors);
  await rebootFaulty(bus, motors, times.rebootMs, log);
  await configure(bus, motors, hardware, log);
  await setGains(bus, motors);
  await readStatus(bus, motors);
}

/** Reads the status of the motors. @throws ServosSilent, BusClosed */
export async function readStatus(bus: ServoBus, motors: readonly LiteMotor[]): Promise<void> {
  const all = await bus.readAll(ids(motors), STATUS);
  for (const motor of motors) {
    const bytes = all.get(motor.id);
    if (bytes) motor.takeStatus(bytes);
  }
}

async function waitForSupply({ bus, motors, hardware, times, clock, onProgress, signal }: BringUp): Promise<void> {
  const what = registers.presentInputVoltage;
  const untilMs = clock.elapsedMs() + times.supplyMs;
  for (let reported = false; ; reported = true) {
    const all = await bus.readAll(ids(motors), span(what));
    const lowestV = Math.min(...[...all.values()].map((bytes) => readNumber(bytes, what) / 10));
    if (lowestV >= hardware.minStartVoltageV) return;
    if (clock.elapsedMs() >= untilMs) throw new BringUpFailed(lowVoltage(lowestV, hardware.minStartVoltageV));
    if (!reported) onProgress(supplyComingUp(lowestV));
    await sleepOn(clock, times.supplyPollMs, signal);
  }
}

/** @throws ServosSilent when one does not come back, BusClosed */
export async function rebootFaulty(
  bus: ServoBus,
  motors: readonly LiteMotor[],
  limitMs: number,
  log: Logger,
): Promise<void> {
  const faulty = motors.filter(({ hasShutDown }) => hasShutDown);
  for (const { name } of faulty) log.info(`robot: ${name} is in fault and is rebooted`);
  await Promise.all(faulty.map(({ id }) => bus.reboot(id, limitMs)));
}

type RegisterName = keyof typeof registers;

/** The EEPROM registers to check, and the torque. */
const EEPROM_AND_TORQUE = span(registers.returnDelayTime, registers.torqueEnable);

/**
 * Writes the robot's configuration to the EEPROM of servos where it differs. Such a servo is switched off; the others
 * keep their torque.
 * @throws ServosSilent, ServoRefused, BusClosed
 */
async function configure(bus: ServoBus, motors: readonly LiteMotor[], hardware: Hardware, log: Logger): Promise<void> {
  const all = await bus.readAll(ids(motors), EEPROM_AND_TORQUE);
  for (const { hardware: motor } of motors) {
    const wrong = differences(all.get(motor.id), motor, hardware);
    if (wrong.length === 0) continue;
    log.info(
      `robot: configuring ${motor.name}: ${wrong.map((each) => `${each.name} ${each.is} → ${each.wanted}`).join(', ')}`,
    );
    await bus.write(motor.id, registers.torqueEnable, 0);
    for (const { name, wanted } of wrong) await bus.write(motor.id, registers[name], wanted);
    const now = await bus.readAll([motor.id], EEPROM_AND_TORQUE);
    if (differences(now.get(motor.id), motor, hardware).length > 0) throw new ServoRefused(motor.id, 'not-taken');
  }
}

/** Sets the gains of the position control, which a servo loses at each reboot. @throws like `configure` */
export async function setGains(bus: ServoBus, motors: readonly LiteMotor[]): Promise<void> {
  const each = (gain: 'p' | 'i' | 'd') => new Map(motors.map(({ id, hardware }) => [id, hardware[gain]]));
  await bus.writeAll(registers.positionP, each('p'));
  await bus.writeAll(registers.positionI, each('i'));
  await bus.writeAll(registers.positionD, each('d'));
}

export const ids = (motors: readonly LiteMotor[]): number[] => motors.map(({ id }) => id);

/** The registers whose numbers are not the wanted ones. */
function differences(bytes: Uint8Array | undefined, motor: MotorHardware, hardware: Hardware) {
  const wanted: readonly (readonly [RegisterName, number])[] = [
    ['returnDelayTime', hardware.returnDelayTime],
    ['operatingMode', hardware.operatingMode],
    ['homingOffset', motor.homingOffset],
    ['maxPositionLimit', motor.maxPosition],
    ['minPositionLimit', motor.minPosition],
    ['shutdown', hardware.shutdownMask],
  ];
  const each = wanted.map(([name, value]) => ({ name, wanted: value, is: numberIn(bytes, registers[name]) }));
  return each.filter(({ is, wanted }) => is !== wanted);
}

const numberIn = (bytes: Uint8Array | undefined, register: Register) =>
  bytes ? readNumber(bytes, register, EEPROM_AND_TORQUE.address) : Number.NaN;
