import type { Motor, MotorFault, MotorName } from '../../contract/robot/robot.ts';
import { clamped } from '../kinematics/limits.ts';
import type { Hardware, MotorHardware } from './hardware.ts';
import { faultBits, radFromSteps, readNumber, registers, stepsFromRad } from './registers.ts';
import { type Span, span } from './servo-bus.ts';

/** The status registers of a servo. */
export const STATUS: Span = span(registers.torqueEnable, registers.presentTemperature);
export const POSITION: Span = span(registers.presentPosition);

/** A servo that did not answer for this time counts as silent. */
const SILENT_AFTER_MS = 250;

const modes: Readonly<Record<number, Motor['mode']>> = { 0: 'current', 3: 'position', 5: 'current-based-position' };

/** The last reported state of one motor. */
export class LiteMotor {
  readonly hardware: MotorHardware;
  readonly #voltageFaultHiddenV: number;
  readonly #mode: Motor['mode'];
  #positionRad: number;
  #torque = false;
  #voltageV: number | null = null;
  #temperatureC: number | null = null;
  #faults: readonly MotorFault[] = [];
  /** Whether its last answer had the alert bit. */
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

  /** Whether it has shut down, and stays limp until it is rebooted. */
  get hasShutDown(): boolean {
    return this.#faults.some((fault) => fault !== 'input-voltage');
  }

  /** @param bytes of the span `STATUS` */
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

  /** @param bytes of the span `POSITION` */
  takePosition(bytes: Uint8Array): void {
    this.#positionRad = radFromSteps(readNumber(bytes, registers.presentPosition));
    this.#missedSinceMs = null;
  }

  /** @returns whether the alert is new */
  takeAlert(alert: boolean): boolean {
    const isNew = alert && !this.#alert;
    this.#alert = alert;
    return isNew;
  }

  /** The goal position for an angle, within the servo's limits. */
  goalSteps(angleRad: number): number {
    return clamped(stepsFromRad(angleRad), this.hardware.minPosition, this.hardware.maxPosition);
  }

  missed(nowMs: number): void {
    this.#missedSinceMs ??= nowMs;
  }

  lost(): void {
    this.#missedSinceMs = Number.NEGATIVE_INFINITY;
  }

  /** Time since the first unanswered request, milliseconds; 0 when it answers. */
  silentMs(nowMs: number): number {
    return this.#missedSinceMs === null ? 0 : nowMs - this.#missedSinceMs;
  }

  report(nowMs: number): Motor {
    return {
      name: this.name,
      id: this.id,
      answers: this.silentMs(nowMs) < SILENT_AFTER_MS,
      torque: this.#torque,
      mode: this.#mode,
      positionRad: this.#positionRad,
      voltageV: this.#voltageV,
      temperatureC: this.#temperatureC,
      faults: [...this.#faults],
    };
  }
}
