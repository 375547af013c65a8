import type { Logger } from '../../shared/logger.ts';
import type { Hardware, MotorHardware } from './hardware.ts';
import type { LiteMotor } from './lite-motor.ts';
import { type Register, readNumber, registers } from './registers.ts';
import { type ServoBus, ServoRefused, span } from './servo-bus.ts';

type RegisterName = keyof typeof registers;

/** The EEPROM registers to check, and the torque. */
const EEPROM_AND_TORQUE = span(registers.returnDelayTime, registers.torqueEnable);

/**
 * Writes the robot's configuration to the EEPROM of servos where it differs. Such a servo is switched off; the others
 * keep their torque.
 * @throws ServosSilent, ServoRefused, BusClosed
 */
export async function configure(
  bus: ServoBus,
  motors: readonly LiteMotor[],
  hardware: Hardware,
  log: Logger,
): Promise<void> {
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

interface Difference {
  readonly name: RegisterName;
  readonly is: number;
  readonly wanted: number;
}

function differences(bytes: Uint8Array | undefined, motor: MotorHardware, hardware: Hardware): Difference[] {
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
