import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_JOINT_SPEED_RAD_S } from '../kinematics/limits.ts';
import { BROADCAST_ID, INSTRUCTION, PacketReader, type Status, statusOf } from '../lite/dynamixel.ts';
import { readHardware } from '../lite/hardware.ts';
import { faultBits, numberBytes, type Register, radFromSteps, readNumber, registers } from '../lite/registers.ts';
import { sleepJoints } from '../motions/posture.ts';
import { joined } from '../motors.ts';
import { randomNumbers } from '../simulation/random-numbers.ts';
import { EmulatedBus } from './emulated-bus.ts';
import type { Configuration } from './emulated-servo.ts';

const hardware = readHardware(join(import.meta.dirname, '..', '..', '..', 'assets', 'hardware', 'lite.json'));
const ids = hardware.motors.map(({ id }) => id);
const [BODY, LEG, RIGHT, LEFT] = [10, 11, 17, 18];
const STEP_RAD = (2 * Math.PI) / 4096;

/** A bus with controlled time, and requests to it. */
function newBus(configuration: Configuration = 'right') {
  let nowMs = 1_000;
  const bus = new EmulatedBus({ hardware, clock: { elapsedMs: () => nowMs }, configuration });
  const send = (id: number, instruction: number, ...parameters: number[]): Status[] => {
    const reader = new PacketReader();
    const bytes = bus.answer({ id, instruction, parameters: Uint8Array.from(parameters) });
    const answers = reader.push(bytes).flatMap((packet) => statusOf(packet) ?? []);
    // Nothing else is on the line: header to CRC, an answer without stuffing is 11 bytes and its data.
    expect(answers.reduce((sum, { data }) => sum + 11 + data.length, 0)).toBe(bytes.length);
    return answers;
  };
  const span = ({ address, bytes }: Register) => [address, 0, bytes, 0];
  const write = (id: number, register: Register, value: number) =>
    send(id, INSTRUCTION.write, register.address, 0, ...numberBytes(value, register))[0];
  const read = (id: number, register: Register) => {
    const [answer] = send(id, INSTRUCTION.read, ...span(register));
    return answer && answer.error === null ? readNumber(answer.data, register) : null;
  };
  return {
    bus,
    send,
    write,
    read,
    pass: (ms: number) => {
      nowMs += ms;
    },
    syncRead: (register: Register, which: readonly number[] = ids) =>
      send(BROADCAST_ID, INSTRUCTION.syncRead, ...span(register), ...which).map(
        ({ id, data }) => [id, readNumber(data, register)] as const,
      ),
    angle: (id: number) => radFromSteps(read(id, registers.presentPosition) ?? Number.NaN),
  };
}

const done = (id: number) => ({ id, error: null, alert: false, data: new Uint8Array(0) });

test('all nine answer a ping with their model in the order of the bus; one can be asked alone', () => {
  const { send } = newBus();
  const xl330 = (id: number) => ({ ...done(id), data: Uint8Array.from([1200 & 0xff, 1200 >> 8, 53]) });
  expect(send(BROADCAST_ID, INSTRUCTION.ping)).toEqual(ids.map(xl330));
  expect(send(LEG, INSTRUCTION.ping)).toEqual([xl330(LEG)]);
  expect(send(9, INSTRUCTION.ping)).toEqual([]);
});

test('they start folded, limp and configured', () => {
  const { read, syncRead, angle } = newBus();
  for (const [index, wantedRad] of joined(sleepJoints).entries()) {
    expect(Math.abs(angle(ids[index] ?? 0) - wantedRad)).toBeLessThanOrEqual(STEP_RAD / 2 + 1e-9);
  }
  expect(syncRead(registers.torqueEnable).map(([, on]) => on)).toEqual(ids.map(() => 0));
  for (const motor of hardware.motors) {
    expect(read(motor.id, registers.homingOffset)).toBe(motor.homingOffset);
    expect(read(motor.id, registers.minPositionLimit)).toBe(motor.minPosition);
    expect(read(motor.id, registers.maxPositionLimit)).toBe(motor.maxPosition);
  }
  expect(read(LEG, registers.shutdown)).toBe(hardware.shutdownMask);
  expect(read(LEG, registers.returnDelayTime)).toBe(hardware.returnDelayTime);
  expect(read(LEG, registers.presentInputVoltage)).toBe(50);
  expect(read(LEG, registers.presentTemperature)).toBe(25);
});

test('with the factory configuration they differ, and can be configured', () => {
  const { send, pass, read, write } = newBus('factory');
  const configuration = () =>
    [
      registers.returnDelayTime,
      registers.operatingMode,
      registers.homingOffset,
      registers.minPositionLimit,
      registers.maxPositionLimit,
      registers.shutdown,
    ].map((register) => read(LEG, register));
  expect(configuration()).toEqual([250, 3, 0, 0, 4095, 53]);
  const [motor] = hardware.motors.filter(({ id }) => id === LEG);
  expect(write(LEG, registers.returnDelayTime, 0)).toEqual(done(LEG));
  expect(write(LEG, registers.homingOffset, motor?.homingOffset ?? 0)).toEqual(done(LEG));
  expect(write(LEG, registers.minPositionLimit, 1502)).toEqual(done(LEG));
  expect(write(LEG, registers.maxPositionLimit, 2958)).toEqual(done(LEG));
  expect(write(LEG, registers.shutdown, 52)).toEqual(done(LEG));
  send(LEG, INSTRUCTION.reboot);
  pass(400);
  expect(configuration()).toEqual([0, 3, 1024, 1502, 2958, 52]);
});

test('a servo goes to its goal with torque, no faster than it can, and not without', () => {
  const { pass, write, angle } = newBus();
  const before = angle(BODY);
  expect(write(BODY, registers.goalPosition, 3000)).toEqual(done(BODY));
  pass(1_000);
  expect(angle(BODY)).toBe(before);
  expect(write(BODY, registers.torqueEnable, 1)).toEqual(done(BODY));
  let last = before;
  for (let tick = 0; tick < 50; tick++) {
    pass(20);
    const now = angle(BODY);
    expect(Math.abs(now - last)).toBeLessThanOrEqual(MAX_JOINT_SPEED_RAD_S * 0.02 + STEP_RAD);
    last = now;
  }
  expect(last).toBeCloseTo(radFromSteps(3000), 2);
});

test('a write to all servos or to several is executed and not answered', () => {
  const { send, pass, syncRead, angle } = newBus();
  const torque = registers.torqueEnable.address;
  expect(send(BROADCAST_ID, INSTRUCTION.write, torque, 0, 1)).toEqual([]);
  expect(syncRead(registers.torqueEnable)).toEqual(ids.map((id) => [id, 1]));
  const goals = [
    [RIGHT, 1000],
    [LEFT, 3000],
  ] as const;
  const each = goals.flatMap(([id, goal]) => [id, ...numberBytes(goal, registers.goalPosition)]);
  expect(send(BROADCAST_ID, INSTRUCTION.syncWrite, registers.goalPosition.address, 0, 4, 0, ...each)).toEqual([]);
  pass(2_000);
  for (const [id, goal] of goals) expect(angle(id)).toBeCloseTo(radFromSteps(goal), 2);
  expect(send(BROADCAST_ID, INSTRUCTION.reboot)).toEqual([]);
  expect(send(BROADCAST_ID, INSTRUCTION.ping)).toEqual([]);
});

test('the present servos answer a sync read, in its order', () => {
  const { bus, syncRead } = newBus();
  expect(syncRead(registers.id, [18, 10, 99, 14])).toEqual([
    [18, 18],
    [10, 10],
    [14, 14],
  ]);
  bus.setFaults([{ kind: 'dead-servo', motor: 'body_rotation' }]);
  expect(syncRead(registers.id, [18, 10, 14])).toEqual([
    [18, 18],
    [14, 14],
  ]);
});

test('an invalid request is refused with the reason, and not executed in part', () => {
  const { send, write, read } = newBus();
  const error = (instruction: number, ...parameters: number[]) => send(LEG, instruction, ...parameters)[0]?.error;
  const goal = registers.goalPosition.address;
  expect(error(INSTRUCTION.write, goal, 0, ...numberBytes(1501, registers.goalPosition))).toBe('data-range');
  expect(error(INSTRUCTION.write, goal, 0, ...numberBytes(2959, registers.goalPosition))).toBe('data-range');
  expect(error(INSTRUCTION.write, goal, 0, 0, 8)).toBe('data-length');
  expect(error(INSTRUCTION.write, goal + 1, 0, 1, 1, 1)).toBe('access');
  expect(error(INSTRUCTION.write, registers.torqueEnable.address, 0, 2)).toBe('data-range');
  expect(error(INSTRUCTION.write, registers.presentPosition.address, 0, 0, 0, 0, 0)).toBe('access');
  expect(error(INSTRUCTION.write, goal, 0)).toBe('data-length');
  expect(error(INSTRUCTION.read, 0, 0, 0, 0)).toBe('data-length');
  expect(error(INSTRUCTION.read, 140, 0, 20, 0)).toBe('access');
  expect(error(INSTRUCTION.read, 140)).toBe('data-length');
  expect(error(0x04, goal, 0, 0, 8, 0, 0)).toBe('bad-instruction');
  // Both limits in one write: the second one is too great, so the first one stays too.
  const limits = [...numberBytes(3000, registers.maxPositionLimit), ...numberBytes(5000, registers.minPositionLimit)];
  expect(error(INSTRUCTION.write, registers.maxPositionLimit.address, 0, ...limits)).toBe('data-range');
  expect(read(LEG, registers.maxPositionLimit)).toBe(2958);
  expect(write(LEG, registers.positionP, 300)).toEqual(done(LEG));
});

test('the EEPROM is locked while torque is on and keeps its content over a reboot; the rest does not', () => {
  const { send, pass, write, read } = newBus();
  expect(write(LEG, registers.positionP, 300)).toEqual(done(LEG));
  expect(write(LEG, registers.torqueEnable, 1)).toEqual(done(LEG));
  expect(write(LEG, registers.homingOffset, 7)).toEqual({ ...done(LEG), error: 'access' });
  expect(write(LEG, registers.torqueEnable, 0)).toEqual(done(LEG));
  expect(write(LEG, registers.homingOffset, 7)).toEqual(done(LEG));
  expect(send(LEG, INSTRUCTION.reboot)).toEqual([done(LEG)]);
  pass(299);
  expect(send(LEG, INSTRUCTION.ping)).toEqual([]);
  expect(write(LEG, registers.torqueEnable, 1)).toBeUndefined();
  pass(1);
  expect(read(LEG, registers.torqueEnable)).toBe(0);
  expect(read(LEG, registers.homingOffset)).toBe(7);
  expect([registers.positionP, registers.positionI, registers.positionD].map((gain) => read(LEG, gain))).toEqual([
    400, 0, 0,
  ]);
});

test('an overloaded servo shuts down, alerts in every answer, and holds again after a reboot without the load', () => {
  const { bus, send, pass, write, read } = newBus();
  write(LEG, registers.torqueEnable, 1);
  bus.setFaults([{ kind: 'overload', motor: 'stewart_1' }]);
  expect(read(LEG, registers.torqueEnable)).toBe(0);
  expect(read(LEG, registers.hardwareErrorStatus)).toBe(faultBits.overload);
  expect(send(LEG, INSTRUCTION.ping)[0]?.alert).toBe(true);
  expect(send(LEG + 1, INSTRUCTION.ping)[0]?.alert).toBe(false);
  expect(write(LEG, registers.torqueEnable, 1)).toEqual({ ...done(LEG), alert: true });
  expect(read(LEG, registers.torqueEnable)).toBe(0);

  send(LEG, INSTRUCTION.reboot);
  pass(400);
  expect(read(LEG, registers.hardwareErrorStatus)).toBe(0);
  write(LEG, registers.torqueEnable, 1);
  expect(read(LEG, registers.hardwareErrorStatus)).toBe(faultBits.overload);

  bus.setFaults([]);
  expect(read(LEG, registers.hardwareErrorStatus)).toBe(faultBits.overload);
  send(LEG, INSTRUCTION.reboot);
  pass(400);
  expect(write(LEG, registers.torqueEnable, 1)).toEqual(done(LEG));
  expect(read(LEG, registers.torqueEnable)).toBe(1);
});

test('a dead servo and a silent bus ignore requests', () => {
  const { bus, send, write, read } = newBus();
  bus.setFaults([{ kind: 'dead-servo', motor: 'stewart_1' }]);
  expect(send(BROADCAST_ID, INSTRUCTION.ping).map(({ id }) => id)).toEqual(ids.filter((id) => id !== LEG));
  expect(write(LEG, registers.torqueEnable, 1)).toBeUndefined();
  bus.setFaults([{ kind: 'silence' }]);
  expect(send(BROADCAST_ID, INSTRUCTION.ping)).toEqual([]);
  bus.setFaults([]);
  expect(read(LEG, registers.torqueEnable)).toBe(0);
});

test('a supply out of range is a fault, which shuts down only if configured', () => {
  const right = newBus('right');
  right.bus.setSupplyV(4.2);
  expect(right.read(LEG, registers.presentInputVoltage)).toBe(42);
  expect(right.send(LEG, INSTRUCTION.ping)[0]?.alert).toBe(false);
  right.bus.setSupplyV(7.4);
  expect(right.read(LEG, registers.hardwareErrorStatus)).toBe(faultBits['input-voltage']);
  expect(right.write(LEG, registers.torqueEnable, 1)).toEqual({ ...done(LEG), alert: true });
  expect(right.read(LEG, registers.torqueEnable)).toBe(1);
  right.bus.setSupplyV(null);
  expect(right.read(LEG, registers.hardwareErrorStatus)).toBe(0);

  const factory = newBus('factory');
  factory.bus.setSupplyV(7.4);
  factory.write(LEG, registers.torqueEnable, 1);
  expect(factory.read(LEG, registers.torqueEnable)).toBe(0);
});

test('a touch bends an antenna inwards, and it swings back', () => {
  const { bus, pass, angle } = newBus();
  for (const [antenna, id, inwards] of [
    ['right', RIGHT, 1],
    ['left', LEFT, -1],
  ] as const) {
    const before = angle(id);
    bus.touch(antenna);
    pass(280);
    expect(inwards * (angle(id) - before)).toBeGreaterThan(0.35);
    pass(2_000);
    expect(angle(id)).toBeCloseTo(before, 1);
  }
});

test('a joint without torque falls to its rest, also during an hour without requests', () => {
  const { pass, write, angle } = newBus();
  const before = angle(LEFT);
  write(LEFT, registers.goalPosition, 2048);
  write(LEFT, registers.torqueEnable, 1);
  pass(2_000);
  expect(angle(LEFT)).toBeCloseTo(0, 2);
  write(LEFT, registers.torqueEnable, 0);
  pass(3_600_000);
  expect(angle(LEFT)).toBeCloseTo(before, 2);
});

test('the bus survives any packet', () => {
  const { send, pass } = newBus();
  const random = randomNumbers(7);
  const whole = (most: number) => Math.floor((most + 1) * random());
  const instructions = Object.values(INSTRUCTION);
  for (let count = 0; count < 5_000; count++) {
    const parameters = Array.from({ length: whole(20) }, () => (random() < 0.5 ? whole(20) : whole(255)));
    const instruction = random() < 0.9 ? (instructions[whole(instructions.length - 1)] ?? 0) : whole(255);
    send(random() < 0.2 ? BROADCAST_ID : 10 + whole(8), instruction, ...parameters);
    pass(whole(100));
  }
  pass(1_000);
  expect(send(BROADCAST_ID, INSTRUCTION.ping).map(({ id }) => id)).toEqual(ids);
});
