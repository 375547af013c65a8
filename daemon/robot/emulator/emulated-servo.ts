import { INSTRUCTION, type Status, type StatusError } from '../lite/dynamixel.ts';
import type { Hardware, MotorHardware } from '../lite/hardware.ts';
import {
  CONTROL_TABLE_BYTES,
  FIRST_VOLATILE_ADDRESS,
  faultBits,
  numberBytes,
  type Register,
  radFromSteps,
  readNumber,
  registers,
  stepsFromRad,
} from '../lite/registers.ts';
import type { SimulatedServo } from '../simulation/simulated-servo.ts';

/** An XL330-M288 with a recent firmware. */
const MODEL_NUMBER = 1200;
const FIRMWARE_VERSION = 53;
/** Range of a valid supply in the factory configuration. */
const LEAST_SUPPLY_V = 3.5;
const MOST_SUPPLY_V = 7;
const REBOOT_MS = 300;

interface Writable {
  readonly register: Register;
  readonly least: number;
  readonly most: number;
}

/** The writable registers except the goal position, whose limits are registers. */
const writables: readonly Writable[] = [
  { register: registers.returnDelayTime, least: 0, most: 254 },
  { register: registers.operatingMode, least: 0, most: 16 },
  { register: registers.homingOffset, least: -1_044_479, most: 1_044_479 },
  { register: registers.maxPositionLimit, least: 0, most: 4095 },
  { register: registers.minPositionLimit, least: 0, most: 4095 },
  { register: registers.shutdown, least: 0, most: 255 },
  { register: registers.torqueEnable, least: 0, most: 1 },
  { register: registers.positionD, least: 0, most: 16_383 },
  { register: registers.positionI, least: 0, most: 16_383 },
  { register: registers.positionP, least: 0, most: 16_383 },
];

/** The content of the EEPROM: the robot's configuration, or that of new servos. */
export type Configuration = 'right' | 'factory';

/**
 * One servo on the bus: its control table and its answers. It moves a `SimulatedServo`, whose time is stepped by the
 * bus. Positions are those of the joint: the homing offset is stored without effect.
 */
export class EmulatedServo {
  readonly id: number;
  readonly joint: SimulatedServo;
  /** Whether the joint is blocked: the servo then shuts down as soon as its torque is on. */
  overloaded = false;
  /** The measured supply voltage; null: that of its joint. */
  supplyV: number | null = null;
  readonly #table = new Uint8Array(CONTROL_TABLE_BYTES);
  #awakeAtMs = Number.NEGATIVE_INFINITY;

  constructor(joint: SimulatedServo, motor: MotorHardware, hardware: Hardware, configuration: Configuration) {
    this.id = motor.id;
    this.joint = joint;
    const right = configuration === 'right';
    this.#set(registers.modelNumber, MODEL_NUMBER);
    this.#set(registers.firmwareVersion, FIRMWARE_VERSION);
    this.#set(registers.id, motor.id);
    this.#set(registers.returnDelayTime, right ? hardware.returnDelayTime : 250);
    this.#set(registers.operatingMode, right ? hardware.operatingMode : 3);
    this.#set(registers.homingOffset, right ? motor.homingOffset : 0);
    this.#set(registers.maxPositionLimit, right ? motor.maxPosition : 4095);
    this.#set(registers.minPositionLimit, right ? motor.minPosition : 0);
    this.#set(registers.shutdown, right ? hardware.shutdownMask : 53);
    this.#resetVolatile();
  }

  /** Whether it has booted; it ignores everything before. */
  isAwake(nowMs: number): boolean {
    return nowMs >= this.#awakeAtMs;
  }

  /** Executes an instruction for one servo. @returns the answer */
  execute(instruction: number, parameters: Uint8Array, nowMs: number): Status {
    switch (instruction) {
      case INSTRUCTION.ping:
        return this.#status(null, [...this.#bytes(registers.modelNumber), ...this.#bytes(registers.firmwareVersion)]);
      case INSTRUCTION.read:
        if (parameters.length !== 4) return this.#status('data-length');
        return this.read(wordAt(parameters, 0), wordAt(parameters, 2));
      case INSTRUCTION.write:
        if (parameters.length < 3) return this.#status('data-length');
        return this.write(wordAt(parameters, 0), parameters.subarray(2));
      case INSTRUCTION.reboot:
        return this.#reboot(nowMs);
      default:
        return this.#status('bad-instruction');
    }
  }

  read(start: number, count: number): Status {
    if (count === 0) return this.#status('data-length');
    if (start + count > CONTROL_TABLE_BYTES) return this.#status('access');
    this.#measure();
    return this.#status(null, this.#table.slice(start, start + count));
  }

  /** Writes all of the bytes or none. */
  write(start: number, bytes: Uint8Array): Status {
    if (this.joint.torque && start < FIRST_VOLATILE_ADDRESS) return this.#status('access');
    const end = start + bytes.length;
    const numbers: [Register, number][] = [];
    for (let address = start; address < end; ) {
      const writable = this.#writableAt(address);
      if (!writable) return this.#status('access');
      const { register, least, most } = writable;
      if (address + register.bytes > end) return this.#status('data-length');
      const value = readNumber(bytes, register, start);
      if (value < least || value > most) return this.#status('data-range');
      numbers.push([register, value]);
      address += register.bytes;
    }
    for (const [register, value] of numbers) this.#take(register, value);
    return this.#status(null);
  }

  #writableAt(address: number): Writable | undefined {
    if (address !== registers.goalPosition.address)
      return writables.find(({ register }) => register.address === address);
    const least = readNumber(this.#table, registers.minPositionLimit, 0);
    const most = readNumber(this.#table, registers.maxPositionLimit, 0);
    return { register: registers.goalPosition, least, most };
  }

  #take(register: Register, value: number): void {
    if (register === registers.torqueEnable) this.#setTorque(value === 1);
    else this.#set(register, value);
    if (register === registers.goalPosition) this.joint.goalRad = radFromSteps(value);
  }

  /** A servo that has shut down accepts the write but stays limp until it is rebooted. */
  #setTorque(on: boolean): void {
    this.joint.setTorque(on && (this.#errorStatus() & readNumber(this.#table, registers.shutdown, 0)) === 0);
    if (this.joint.torque && this.overloaded) this.joint.fail('overload');
  }

  #reboot(nowMs: number): Status {
    const answer = this.#status(null);
    this.joint.reboot();
    this.#resetVolatile();
    this.#awakeAtMs = nowMs + REBOOT_MS;
    return answer;
  }

  #resetVolatile(): void {
    this.#table.fill(0, FIRST_VOLATILE_ADDRESS);
    this.#set(registers.positionP, 400);
    this.#set(registers.goalPosition, stepsFromRad(this.joint.positionRad));
    this.joint.goalRad = this.joint.positionRad;
  }

  #measure(): void {
    const { positionRad, temperatureC, torque } = this.joint;
    this.#set(registers.torqueEnable, torque ? 1 : 0);
    this.#set(registers.hardwareErrorStatus, this.#errorStatus());
    this.#set(registers.presentPosition, stepsFromRad(positionRad));
    this.#set(registers.presentInputVoltage, Math.round(10 * this.#measuredSupplyV()));
    this.#set(registers.presentTemperature, Math.round(temperatureC));
  }

  #measuredSupplyV(): number {
    return this.supplyV ?? this.joint.voltageV;
  }

  #errorStatus(): number {
    const supplyV = this.#measuredSupplyV();
    let status = supplyV < LEAST_SUPPLY_V || supplyV > MOST_SUPPLY_V ? faultBits['input-voltage'] : 0;
    for (const fault of this.joint.faults) status |= faultBits[fault];
    return status;
  }

  #status(error: StatusError | null, data: Iterable<number> = []): Status {
    return { id: this.id, error, alert: this.#errorStatus() !== 0, data: Uint8Array.from(data) };
  }

  #bytes({ address, bytes }: Register): Uint8Array {
    return this.#table.subarray(address, address + bytes);
  }

  #set(register: Register, value: number): void {
    this.#table.set(numberBytes(value, register), register.address);
  }
}

/** The little-endian number of two bytes at `index`. */
export function wordAt(bytes: Uint8Array, index: number): number {
  return (bytes[index] ?? 0) | ((bytes[index + 1] ?? 0) << 8);
}
