import { expect, test, vi } from 'vitest';
import { MemoryLine } from '../../testing/daemon/memory-line.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { EmulatedBus } from '../emulator/emulated-bus.ts';
import { type Configuration, wordAt } from '../emulator/emulated-servo.ts';
import { sleepJoints } from '../motions/posture.ts';
import { joined } from '../motors.ts';
import { BringUpFailed, bringUp } from './bring-up.ts';
import { lowVoltage, type NotReady, starting, supplyComingUp } from './connection-text.ts';
import { INSTRUCTION, type Packet } from './dynamixel.ts';
import { readHardware } from './hardware.ts';
import { LiteMotor } from './lite-motor.ts';
import { liteTimes } from './lite-times.ts';
import { type Register, readNumber, registers } from './registers.ts';
import { BusClosed, ServoBus, ServoRefused, ServosSilent, span } from './servo-bus.ts';

const hardware = readHardware('assets/hardware/lite.json');
const allIds = hardware.motors.map(({ id }) => id);
const times = { ...liteTimes, supplyPollMs: 5 };

/** Nine servos on an in-memory line. */
function robot(configuration: Configuration = 'right') {
  const clock = movableClock();
  const servos = new EmulatedBus({ hardware, clock, configuration });
  const line = new MemoryLine((packet) => servos.answer(packet));
  const bus = new ServoBus(line, { baudRate: hardware.baudRate, answerMs: 10, clock });
  const motors = hardware.motors.map((motor) => new LiteMotor(motor, hardware, 0));
  const progress: NotReady[] = [];
  const logged: string[] = [];
  const note = (message: string) => void logged.push(message);
  const stopping = new AbortController();
  return {
    ...{ clock, servos, line, bus, motors, progress, logged, stopping },
    up: (other: Partial<typeof liteTimes> = {}) =>
      clock.during(
        bringUp({
          ...{ bus, motors, hardware, clock, signal: stopping.signal },
          times: { ...times, ...other },
          log: { debug: note, info: note, warn: note, error: note },
          onProgress: (connection) => void progress.push(connection),
        }),
      ),
    set: (id: number, register: Register, value: number) => bus.write(id, register, value),
    read: async (register: Register) =>
      [...(await bus.readAll(allIds, span(register))).values()].map((bytes) => readNumber(bytes, register)),
  };
}

const isTorqueOrder = ({ instruction, parameters }: Packet) =>
  [INSTRUCTION.write, INSTRUCTION.syncWrite].some((each) => each === instruction) &&
  wordAt(parameters, 0) === registers.torqueEnable.address;

const notUp = (connection: NotReady) => expect.objectContaining({ constructor: BringUpFailed, connection });

test('a configured robot comes up without writes, and its motors are known', async () => {
  const { up, motors, progress, logged, line, clock } = robot();
  await up();
  expect(progress).toEqual([starting]);
  expect(logged).toEqual([]);
  const wrote = line.packets.filter(({ instruction }) => instruction === INSTRUCTION.write);
  expect(wrote).toEqual([]);
  const angles = joined(sleepJoints);
  for (const [index, motor] of motors.entries()) {
    const { positionRad, ...report } = motor.report(clock.elapsedMs());
    expect(positionRad).toBeCloseTo(angles[index] ?? 0, 2);
    expect(report).toEqual({
      name: motor.name,
      id: motor.id,
      answers: true,
      torque: false,
      mode: 'position',
      voltageV: 5,
      temperatureC: 25,
      faults: [],
    });
  }
});

test('servos with the factory configuration get their configuration and gains', async () => {
  const { up, read, logged } = robot('factory');
  await up();
  expect(await read(registers.returnDelayTime)).toEqual(Array(9).fill(0));
  expect(await read(registers.shutdown)).toEqual(Array(9).fill(52));
  expect(await read(registers.homingOffset)).toEqual(hardware.motors.map(({ homingOffset }) => homingOffset));
  expect(await read(registers.minPositionLimit)).toEqual(hardware.motors.map(({ minPosition }) => minPosition));
  expect(await read(registers.maxPositionLimit)).toEqual(hardware.motors.map(({ maxPosition }) => maxPosition));
  expect(await read(registers.positionP)).toEqual(hardware.motors.map(({ p }) => p));
  expect(logged).toHaveLength(9);
  expect(logged[0]).toBe('robot: configuring body_rotation: returnDelayTime 250 → 0, shutdown 53 → 52');
});

test('a robot that was left awake keeps its torque', async () => {
  const { up, set, read, motors, line } = robot();
  for (const id of allIds) await set(id, registers.torqueEnable, 1);
  line.packets.length = 0;
  await up();
  expect(line.packets.filter(isTorqueOrder)).toEqual([]); // torque was never switched off
  expect(await read(registers.torqueEnable)).toEqual(Array(9).fill(1));
  expect(motors.every(({ torque }) => torque)).toBe(true);
});

test('only a servo with a wrong configuration is switched off', async () => {
  const { up, set, read } = robot();
  await set(13, registers.maxPositionLimit, 4095);
  for (const id of allIds) await set(id, registers.torqueEnable, 1);
  await up();
  expect(await read(registers.torqueEnable)).toEqual([1, 1, 1, 0, 1, 1, 1, 1, 1]);
  expect((await read(registers.maxPositionLimit))[3]).toBe(2958);
});

test('a servo that has shut down is rebooted and has no fault', async () => {
  const { up, servos, motors, logged } = robot();
  servos.setFaults([{ kind: 'overload', motor: 'stewart_2' }]);
  await up();
  expect(motors.flatMap((motor) => motor.report(0).faults)).toEqual([]);
  expect(logged).toEqual(['robot: stewart_2 is in fault and is rebooted']);
});

test('a robot of which no motor answers does not come up', async () => {
  const { up, servos, progress } = robot();
  servos.setFaults([{ kind: 'silence' }]);
  await expect(up()).rejects.toEqual(new ServosSilent(...allIds));
  expect(progress).toEqual([]);
});

test('motors that do not answer are named', async () => {
  const { up, servos } = robot();
  servos.setFaults([
    { kind: 'dead-servo', motor: 'stewart_3' },
    { kind: 'dead-servo', motor: 'left_antenna' },
  ]);
  await expect(up()).rejects.toEqual(new ServosSilent(13, 18));
});

test('bring-up waits for a rising supply, and reports it once', async () => {
  const { up, servos, progress, line } = robot();
  servos.setSupplyV(3.9);
  const coming = up();
  const polls = () => line.packets.filter(({ parameters }) => wordAt(parameters, 0) === 144).length;
  await vi.waitFor(() => expect(polls()).toBeGreaterThanOrEqual(5), { interval: 1 });
  expect(progress).toEqual([starting, supplyComingUp(3.9)]);
  servos.setSupplyV(4.5);
  await coming;
  expect(progress).toHaveLength(2);
});

test('a supply that stays low is reported with its voltage', async () => {
  const { up, servos } = robot();
  servos.setSupplyV(4.4);
  await expect(up({ supplyMs: 50 })).rejects.toEqual(notUp(lowVoltage(4.4, 4.5)));
});

test('a servo that does not accept its configuration is named by an error', async () => {
  const { up, line, servos } = robot('factory');
  line.answer = (packet) => {
    const forShutdown = packet.instruction === INSTRUCTION.write && packet.parameters[0] === registers.shutdown.address;
    const stubborn = packet.id === 12 && forShutdown;
    return servos.answer(stubborn ? { ...packet, parameters: Uint8Array.of(63, 0, 53) } : packet); // as it was
  };
  await expect(up()).rejects.toEqual(new ServoRefused(12, 'not-taken'));
});

test('bring-up succeeds on a line that loses answers', async () => {
  const { up, line, servos, read } = robot('factory');
  let count = 0;
  line.answer = (packet) => {
    const answer = servos.answer(packet);
    return ++count % 3 === 0 ? null : answer; // executed, but the answer is lost
  };
  await up();
  line.answer = (packet) => servos.answer(packet);
  expect(await read(registers.shutdown)).toEqual(Array(9).fill(52));
});

test('a lost line ends bring-up at any step', async () => {
  const whole = robot('factory');
  await whole.up();
  const packets = whole.line.packets.length;
  expect(packets).toBeGreaterThan(50);
  for (let last = 1; last < packets; last++) {
    const { up, line, servos } = robot('factory');
    line.answer = (packet) => {
      if (line.packets.length >= last) line.unplug();
      return servos.answer(packet);
    };
    await expect(up()).rejects.toEqual(new BusClosed('unplugged'));
  }
});

test('the wait for the supply ends when the daemon stops', async () => {
  const { up, servos, progress, stopping } = robot();
  servos.setSupplyV(3);
  const coming = up({ supplyPollMs: 60_000 });
  await vi.waitFor(() => expect(progress).toHaveLength(2), { interval: 1 });
  stopping.abort();
  await expect(coming).rejects.toMatchObject({ name: 'AbortError' });
});
