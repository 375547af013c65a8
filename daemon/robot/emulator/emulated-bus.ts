import type { AntennaSide, SimulatedFault } from '../../contract/robot/robot.ts';
import type { Clock } from '../../shared/clock.ts';
import { BROADCAST_ID, encodePacket, INSTRUCTION, type Packet, type Status, statusPacket } from '../lite/dynamixel.ts';
import type { Hardware } from '../lite/hardware.ts';
import { motorNames } from '../motors.ts';
import { pushAntenna, sleepingServos } from '../simulation/simulated-servo.ts';
import { type Configuration, EmulatedServo, wordAt } from './emulated-servo.ts';

/** Longer pauses are cut to this, as all joints have come to rest by then. */
const LONGEST_STEP_S = 5;

interface EmulatedBusOptions {
  readonly hardware: Hardware;
  readonly clock: Pick<Clock, 'elapsedMs'>;
  readonly configuration: Configuration;
}

/** The nine servos on a bus: takes instructions and returns answers. They start folded and limp. */
export class EmulatedBus {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  /** In the order of the bus, which is the order of their ids. */
  readonly #servos: readonly EmulatedServo[];
  #faults: readonly SimulatedFault[] = [];
  #advancedToMs: number;

  constructor({ hardware, clock, configuration }: EmulatedBusOptions) {
    this.#clock = clock;
    this.#advancedToMs = clock.elapsedMs();
    const joints = sleepingServos();
    this.#servos = hardware.motors.flatMap((motor, index) => {
      const joint = joints[index];
      return joint ? [new EmulatedServo(joint, motor, hardware, configuration)] : [];
    });
  }

  /** @returns the bytes of the servos' answers, one after the other; empty when none answers */
  answer(packet: Packet): Uint8Array {
    const nowMs = this.#advance();
    const listening = this.#servos.filter((servo) => servo.isAwake(nowMs) && !this.#isDeaf(servo));
    const answers = answersOf(listening, packet, nowMs);
    return Uint8Array.from(answers.flatMap((status) => [...encodePacket(statusPacket(status))]));
  }

  touch(antenna: AntennaSide): void {
    this.#advance();
    pushAntenna(
      this.#servos.map(({ joint }) => joint),
      antenna,
    );
  }

  setFaults(faults: readonly SimulatedFault[]): void {
    this.#advance();
    this.#faults = faults;
    for (const servo of this.#servos) {
      const overloaded = this.#has('overload', servo);
      if (overloaded && !servo.overloaded) servo.joint.fail('overload');
      servo.overloaded = overloaded;
    }
  }

  /** Sets the supply voltage that the servos measure; null: normal. */
  setSupplyV(supplyV: number | null): void {
    for (const servo of this.#servos) servo.supplyV = supplyV;
  }

  #advance(): number {
    const nowMs = this.#clock.elapsedMs();
    const elapsedS = Math.min(LONGEST_STEP_S, (nowMs - this.#advancedToMs) / 1000);
    this.#advancedToMs = nowMs;
    if (elapsedS > 0) for (const { joint } of this.#servos) joint.step(elapsedS);
    return nowMs;
  }

  #isDeaf(servo: EmulatedServo): boolean {
    return this.#has('dead-servo', servo) || this.#faults.some(({ kind }) => kind === 'silence');
  }

  #has(kind: 'dead-servo' | 'overload', servo: EmulatedServo): boolean {
    const index = this.#servos.indexOf(servo);
    return this.#faults.some((fault) => fault.kind === kind && fault.motor === motorNames[index]);
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
      return []; // the answer of another servo
    default: {
      const addressed = toAll ? servos : servos.filter((servo) => servo.id === id);
      const answers = addressed.map((servo) => servo.execute(instruction, parameters, nowMs));
      return toAll && instruction !== INSTRUCTION.ping ? [] : answers;
    }
  }
}

/** The listed servos answer in the order of the list. */
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
