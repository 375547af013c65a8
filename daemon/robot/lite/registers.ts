import type { MotorFault } from '../../contract/robot/robot.ts';

/** A place in a servo's memory. Numbers are little-endian. */
export interface Register {
  readonly address: number;
  readonly bytes: 1 | 2 | 4;
  readonly signed: boolean;
}

const unsigned = (address: number, bytes: Register['bytes']): Register => ({ address, bytes, signed: false });
const signed = (address: number, bytes: Register['bytes']): Register => ({ address, bytes, signed: true });

/** From this address on, the control table is reset by a reboot; below it is EEPROM. */
export const FIRST_VOLATILE_ADDRESS = 64;

/** The used part of the XL330's control table. The EEPROM cannot be written while torque is on. */
export const registers = {
  modelNumber: unsigned(0, 2),
  firmwareVersion: unsigned(6, 1),
  id: unsigned(7, 1),
  returnDelayTime: unsigned(9, 1),
  operatingMode: unsigned(11, 1),
  homingOffset: signed(20, 4),
  maxPositionLimit: unsigned(48, 4),
  minPositionLimit: unsigned(52, 4),
  shutdown: unsigned(63, 1),
  torqueEnable: unsigned(64, 1),
  hardwareErrorStatus: unsigned(70, 1),
  positionD: unsigned(80, 2),
  positionI: unsigned(82, 2),
  positionP: unsigned(84, 2),
  goalPosition: signed(116, 4),
  presentPosition: signed(132, 4),
  presentInputVoltage: unsigned(144, 2),
  presentTemperature: unsigned(146, 1),
} as const satisfies Record<string, Register>;

/** Length of the used part of the control table. */
export const CONTROL_TABLE_BYTES = 147;

/** The fault bits of `hardwareErrorStatus` and of `shutdown`, which selects the faults that shut the servo down. */
export const faultBits: Readonly<Record<MotorFault, number>> = {
  'input-voltage': 0x01,
  overheating: 0x04,
  'electrical-shock': 0x10,
  overload: 0x20,
};

/**
 * The value of a register in bytes read from address `start` on. @throws RangeError when the bytes do not contain it
 */
export function readNumber(bytes: Uint8Array, register: Register, start = register.address): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const offset = register.address - start;
  return register.signed ? buffer.readIntLE(offset, register.bytes) : buffer.readUIntLE(offset, register.bytes);
}

/** A whole number as the bytes of a register. @throws RangeError when it does not fit */
export function numberBytes(value: number, { bytes, signed: isSigned }: Register): Uint8Array {
  const least = isSigned ? -(2 ** (8 * bytes - 1)) : 0;
  if (!(Number.isInteger(value) && value >= least && value < least + 2 ** (8 * bytes))) {
    throw new RangeError(`${value} does not fit into a register of ${bytes} bytes.`);
  }
  const all = new Uint8Array(4);
  new DataView(all.buffer).setInt32(0, value, true);
  return all.subarray(0, bytes);
}

const STEPS_A_TURN = 4096;

/** The angle of a position in steps of the servo's encoder: 2048 is 0. */
export function radFromSteps(steps: number): number {
  return (2 * Math.PI * steps) / STEPS_A_TURN - Math.PI;
}

/** The nearest step of an angle. π gives 4096, one beyond the servo's range. */
export function stepsFromRad(angleRad: number): number {
  return Math.round((STEPS_A_TURN * (angleRad + Math.PI)) / (2 * Math.PI));
}
