import type { Motor, MotorFault, MotorName } from '../../contract/robot/robot.ts';
import { clamped } from '../kinematics/limits.ts';
import type { Hardware, MotorHardware } from './hardware.ts';
import { faultBits, radFromSteps, readNumber, registers, stepsFromRad } from './registers.ts';
import { type Span, span } from './servo-bus.ts';

/** All that a servo tells of how it is. */
export const STATUS: Span = span(registers.torqueEnable, registers.presentTemperature);
export const POSITION: Span = span(registers.presentPosition);

/** A servo that missed its turns for so long does not answer. */
const LATELY_MS = 250;

const modes: Readonly<Record<number, Motor['mode']>> = { 0: 'current', 3: 'position', 5: 'current-based-position' };

/** One motor, as its servo told last. */
export class LiteMotor {
  readonly hardware: MotorHardware;
  readonly #voltageFaultHiddenV: number;
  readonly #mode: Motor['mode'];
  #positionRad: number;
  #torque = false;
  #voltageV: number | null = null;
  #temperatureC: number | null = null;
  #faults: readonly MotorFault[] = [];
  /** Whether it said, in its last answer, that something is wrong with it. */
  #alert = false;
  #missedSinceMs: number | null = Number.NEGATIVE_INFINITY;

  constructor(motor: MotorHardware, { voltageFaultHiddenAtOrBelowV, operatingMode }: Hardware, startRad: number) {
    this.hardware = motor;
    this.#voltageFaultHiddenV = voltageFaultHiddenAtOrBelowV;
    this.#mode = modes[operatingMode] ?? 'other';
    this.#positionRad = startRad;
  }

  get name(): MotorName {
    return this.hardware.name;
  }

  get id(): number {
    return this.hardware.id;
  }

  get positionRad(): number {
    return this.#positionRad;
  }

  get torque(): boolean {
    return this.#torque;
  }

  /** Whether it has let go by itself, and stays limp until it is rebooted. */
  get letGo(): boolean {
    return this.#faults.some((fault) => fault !== 'input-voltage');
  }

  /** The bytes of `STATUS`. */
  takeStatus(bytes: Uint8Array): void {
    const read = (register: (typeof registers)[keyof typeof registers]) => readNumber(bytes, register, STATUS.address);
    this.#torque = read(registers.torqueEnable) === 1;
    this.#positionRad = radFromSteps(read(registers.presentPosition));
    const voltageV = read(registers.presentInputVoltage) / 10;
    this.#voltageV = voltageV;
    this.#temperatureC = read(registers.presentTemperature);
    const bits = read(registers.hardwareErrorStatus);
    const all = Object.entries(faultBits) as [MotorFault, number][];
    this.#faults = all
      .filter(([fault, bit]) => bits & bit && !(fault === 'input-voltage' && voltageV <= this.#voltageFaultHiddenV))
      .map(([fault]) => fault);
    this.#missedSinceMs = null;
  }

  /** The bytes of `POSITION`. */
  takePosition(bytes: Uint8Array): void {
    this.#positionRad = radFromSteps(readNumber(bytes, registers.presentPosition));
    this.#missedSinceMs = null;
  }

  /** @returns whether it says so for the first time */
  takeAlert(alert: boolean): boolean {
    const isNew = alert && !this.#alert;
    this.#alert = alert;
    return isNew;
  }

  /** The goal position for an angle, within what the servo takes. */
  goalSteps(angleRad: number): number {
    return clamped(stepsFromRad(angleRad), this.hardware.minPosition, this.hardware.maxPosition);
  }

  /** It was asked and did not answer. */
  missed(nowMs: number): void {
    this.#missedSinceMs ??= nowMs;
  }

  /** Nobody can ask it any more. */
  lost(): void {
    this.#missedSinceMs = Number.NEGATIVE_INFINITY;
  }

  /** For how long it has not answered, though asked. */
  silentMs(nowMs: number): number {
    return this.#missedSinceMs === null ? 0 : nowMs - this.#missedSinceMs;
  }

  report(nowMs: number): Motor {
    return {
      name: this.name,
      id: this.id,
      answers: this.silentMs(nowMs) < LATELY_MS,
      torque: this.#torque,
      mode: this.#mode,
      positionRad: this.#positionRad,
      voltageV: this.#voltageV,
      temperatureC: this.#temperatureC,
      faults: [...this.#faults],
    };
  }
}
