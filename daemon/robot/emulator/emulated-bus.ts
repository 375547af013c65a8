import type { AntennaSide, MotorName, SimulatedFault } from '../../contract/robot/robot.ts';
import { BROADCAST_ID, encodePacket, INSTRUCTION, type Packet, type Status, statusPacket } from '../lite/dynamixel.ts';
import type { Hardware } from '../lite/hardware.ts';
import { motorNames } from '../motors.ts';
import { pushAntenna, sleepingServos } from '../simulation/sleeping-servos.ts';
import { type Configuration, EmulatedServo, wordAt } from './emulated-servo.ts';

/** Longer silences are not lived through: by then all has come to rest. */
const LONGEST_STEP_S = 5;

export interface EmulatedBusOptions {
  readonly hardware: Hardware;
  /** A steady clock. */
  readonly nowMs: () => number;
  readonly configuration: Configuration;
}

/** The nine servos as the line to them has them: instructions go in, answers come out. They start folded and limp. */
export class EmulatedBus {
  readonly #nowMs: () => number;
  /** In the order of the bus, which is that of their ids. */
  readonly #servos: readonly EmulatedServo[];
  #faults: readonly SimulatedFault[] = [];
  #livedUntilMs: number;

  constructor({ hardware, nowMs, configuration }: EmulatedBusOptions) {
    this.#nowMs = nowMs;
    this.#livedUntilMs = nowMs();
    const joints = sleepingServos();
    this.#servos = hardware.motors.flatMap((motor, index) => {
      const joint = joints[index];
      return joint ? [new EmulatedServo(joint, motor, hardware, configuration)] : [];
    });
  }

  /** @returns the bytes that the servos put on the line, one answer after the other; none: they have nothing to say */
  answer(packet: Packet): Uint8Array {
    const nowMs = this.#live();
    const listening = this.#servos.filter((servo) => servo.isAwake(nowMs) && !this.#isDeaf(servo));
    const answers = answersOf(listening, packet, nowMs);
    return Uint8Array.from(answers.flatMap((status) => [...encodePacket(statusPacket(status))]));
  }

  touch(antenna: AntennaSide): void {
    this.#live();
    pushAntenna(
      this.#servos.map(({ joint }) => joint),
      antenna,
    );
  }

  setFaults(faults: readonly SimulatedFault[]): void {
    this.#live();
    this.#faults = faults;
    for (const servo of this.#servos) {
      const overloaded = this.#has('overload', servo);
      if (overloaded && !servo.overloaded) servo.joint.fail('overload');
      servo.overloaded = overloaded;
    }
  }

  /** What the servos measure of their supply, in volts; null: an ordinary one. */
  setSupplyV(supplyV: number | null): void {
    for (const servo of this.#servos) servo.supplyV = supplyV;
  }

  /** Lets the joints catch up. */
  #live(): number {
    const nowMs = this.#nowMs();
    const elapsedS = Math.min(LONGEST_STEP_S, (nowMs - this.#livedUntilMs) / 1000);
    this.#livedUntilMs = nowMs;
    if (elapsedS > 0) for (const { joint } of this.#servos) joint.step(elapsedS);
    return nowMs;
  }

  #isDeaf(servo: EmulatedServo): boolean {
    return this.#has('dead-servo', servo) || this.#faults.some(({ kind }) => kind === 'silence');
  }

  #has(kind: 'dead-servo' | 'overload', servo: EmulatedServo): boolean {
    return this.#faults.some((fault) => fault.kind === kind && this.#servo(fault.motor) === servo);
  }

  #servo(name: MotorName): EmulatedServo | undefined {
    return this.#servos[motorNames.indexOf(name)];
  }
}

function answersOf(servos: readonly EmulatedServo[], packet: Packet, nowMs: number): Status[] {
  const { id, instruction, parameters } = packet;
  const toAll = id === BROADCAST_ID;
  switch (instruction) {
    case INSTRUCTION.syncRead:
      return syncRead(servos, parameters);
    case INSTRUCTION.syncWrite:
      syncWrite(servos, parameters);
      return [];
    case INSTRUCTION.status:
      return []; // what another servo answered
    default: {
      const meant = toAll ? servos : servos.filter((servo) => servo.id === id);
      const answers = meant.map((servo) => servo.obey(instruction, parameters, nowMs));
      return toAll && instruction !== INSTRUCTION.ping ? [] : answers;
    }
  }
}

/** Each of those that are listed answers, in that order. */
function syncRead(servos: readonly EmulatedServo[], parameters: Uint8Array): Status[] {
  const [start, count] = [wordAt(parameters, 0), wordAt(parameters, 2)];
  const ids = [...parameters.subarray(4)];
  return ids.flatMap((id) => servos.find((servo) => servo.id === id)?.read(start, count) ?? []);
}

function syncWrite(servos: readonly EmulatedServo[], parameters: Uint8Array): void {
  const [start, count] = [wordAt(parameters, 0), wordAt(parameters, 2)];
  for (let index = 4; index + 1 + count <= parameters.length; index += 1 + count) {
    const servo = servos.find(({ id }) => id === parameters[index]);
    servo?.write(start, parameters.subarray(index + 1, index + 1 + count));
  }
}
