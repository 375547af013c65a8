import type { Logger } from '../../shared/logger.ts';
import type { Hardware, MotorHardware } from './hardware.ts';
import type { LiteMotor } from './lite-motor.ts';
import { type Register, readNumber, registers } from './registers.ts';
import { type ServoBus, ServoRefused, span } from './servo-bus.ts';

type RegisterName = keyof typeof registers;

/** All that has to be right and outlives power, and whether the motor holds. */
const KEPT = span(registers.returnDelayTime, registers.torqueEnable);

/**
 * Makes the memory that outlives power say what this robot needs. A servo that has it wrong is switched off for that;
 * the others keep holding what they hold.
 * @throws ServosSilent, ServoRefused, BusClosed
 */
export async function configure(
  bus: ServoBus,
  motors: readonly LiteMotor[],
  hardware: Hardware,
  log: Logger,
): Promise<void> {
  const all = await bus.readAll(ids(motors), KEPT);
  for (const { hardware: motor } of motors) {
    const wrong = differences(all.get(motor.id), motor, hardware);
    if (wrong.length === 0) continue;
    log.info(
      `robot: ${motor.name} is configured: ${wrong.map((each) => `${each.name} ${each.is} → ${each.wanted}`).join(', ')}`,
    );
    await bus.write(motor.id, registers.torqueEnable, 0);
    for (const { name, wanted } of wrong) await bus.write(motor.id, registers[name], wanted);
    const now = await bus.readAll([motor.id], KEPT);
    if (differences(now.get(motor.id), motor, hardware).length > 0) throw new ServoRefused(motor.id, 'not-taken');
  }
}

/** Sets the gains of the position control, which a servo forgets with each reboot. @throws as `configure` */
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
  bytes ? readNumber(bytes, register, KEPT.address) : Number.NaN;
