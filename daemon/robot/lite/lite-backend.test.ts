import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { MemoryLine } from '../../testing/daemon/memory-line.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { EmulatedBus } from '../emulator/emulated-bus.ts';
import { wordAt } from '../emulator/emulated-servo.ts';
import { RobotUnavailable } from '../errors.ts';
import { sleepJoints } from '../motions/posture.ts';
import { joined, jointsFrom, motorNames } from '../motors.ts';
import type { Connection } from '../robot-backend.ts';
import {
  configurationRejected,
  lowVoltage,
  motorsSilent,
  notPluggedIn,
  portRefused,
  searchFailed,
  searching,
  severalPorts,
  starting,
} from './connection-text.ts';
import { INSTRUCTION } from './dynamixel.ts';
import { readHardware } from './hardware.ts';
import { LiteBackend } from './lite-backend.ts';
import { liteTimes } from './lite-times.ts';
import { registers } from './registers.ts';
import { PortError } from './serial-line.ts';

const hardware = readHardware('assets/hardware/lite.json');
const PORT = '/dev/ttyACM0';
const noPower = motorsSilent(motorNames);
const ready: Connection = { state: 'ready' };
const closings: (() => Promise<void>)[] = [];
/** A test that waits longer on its clock fails. */
const LONGEST_MS = 20_000;
afterEach(() => Promise.all(closings.splice(0).map((close) => close())));

const quick = { ...liteTimes, pollMs: 5, longestPauseMs: 40, settlingMs: 0, supplyPollMs: 5, silenceMs: 100 };

/** A backend with in-memory ports and lines, and nine servos, which move by a clock of their own if one is given. */
function lite(times: Partial<typeof liteTimes> = {}, servoMs?: () => number) {
  const clock = manualClock();
  const elapsedMs = servoMs ?? clock.elapsedMs;
  const servos = new EmulatedBus({ hardware, clock: { elapsedMs }, configuration: 'right' });
  const connections: Connection[] = [];
  const logged: string[] = [];
  const lines: MemoryLine[] = [];
  const note = (message: string) => void logged.push(message);
  const world = {
    ports: [PORT] as readonly string[],
    /** Replaces opening a port; throws to fail it. */
    beforeOpen: async (_closing: AbortSignal): Promise<void> => {},
    answer: (packet: Parameters<EmulatedBus['answer']>[0]): Uint8Array | null => servos.answer(packet),
    searches: 0,
    tries: 0,
  };
  const backend = new LiteBackend({
    kind: 'lite',
    hardware,
    platform: 'linux',
    findPorts: async () => {
      world.searches += 1;
      return world.ports;
    },
    openLine: async (_path, closing) => {
      world.tries += 1;
      await world.beforeOpen(closing);
      const line = new MemoryLine((packet) => world.answer(packet));
      lines.push(line);
      return line;
    },
    simulator: null,
    clock,
    log: { debug: note, info: note, warn: note, error: note },
    times: { ...quick, ...times },
  });
  /** Moves the clock until it is so. */
  const until = async (isSo: () => boolean) => {
    for (let leftMs = LONGEST_MS; leftMs > 0 && !isSo(); leftMs--) await clock.advance(1);
    expect(isSo()).toBe(true);
  };
  /** Moves the clock until some work is over. */
  const during = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    await until(() => isOver);
    return work;
  };
  closings.push(() => during(backend.close()));
  const triesMore = async (times: number) => {
    const { tries } = world;
    await until(() => world.tries >= tries + times);
  };
  return {
    ...{ backend, servos, world, connections, logged, lines, until, triesMore, clock, during },
    open: () => backend.open((connection) => void connections.push(connection)),
    /** Waits until the connection has this state. */
    is: async (connection: Connection) => {
      await until(() => isDeepStrictEqual(backend.connection, connection)).catch(() => {});
      expect(backend.connection).toEqual(connection);
    },
    line: () => lines.at(-1) as MemoryLine,
    /** Runs a control loop that holds the robot's position, until a condition is true. */
    turnUntil: async (isSo: () => boolean) => {
      while (!isSo()) await during(backend.exchange(backend.measured));
    },
  };
}

test('before the first poll the robot is folded and being searched', () => {
  const { backend } = lite();
  expect(backend.connection).toBe(searching);
  expect(backend.measured).toEqual(sleepJoints);
  expect(backend.motors.map(({ name, answers, torque }) => [name, answers, torque])).toEqual(
    motorNames.map((name) => [name, false, false]),
  );
});

test('a robot that is plugged in comes up, and each step is reported once', async () => {
  const { open, is, until, connections, logged, world } = lite();
  world.ports = [];
  open();
  await is(notPluggedIn);
  await until(() => world.searches > 5);
  world.ports = [PORT];
  await is(ready);
  expect(connections).toEqual([notPluggedIn, starting, ready]);
  expect(logged).toEqual([`robot: its motors are ready on ${PORT}`]);
});

test('with several robots none is used until one is left', async () => {
  const { open, is, connections, world } = lite();
  world.ports = [PORT, '/dev/ttyACM1'];
  open();
  await is(severalPorts([PORT, '/dev/ttyACM1']));
  expect(world.tries).toBe(0);
  world.ports = [PORT];
  await is(ready);
  expect(connections.map(({ state }) => state)).toEqual(['error', 'disconnected', 'ready']);
});

test.each(['permission', 'busy', 'other'] as const)('a port that is refused (%s) is tried again', async (refusal) => {
  const { open, is, connections, world } = lite();
  const words = portRefused(refusal, PORT, 'why', { usb: hardware.usb, platform: 'linux' });
  world.beforeOpen = async () => {
    if (world.tries < 4) throw new PortError(refusal, 'why');
  };
  open();
  await is(ready);
  expect(connections).toEqual([starting, words, ready]); // the report stays during the retries
});

test('right after plugging in, a port without permission is no error yet', async () => {
  const { open, is, connections, world } = lite({ settlingMs: 60_000 });
  world.beforeOpen = async () => {
    if (world.tries < 3) throw new PortError('permission', 'not yet');
  };
  open();
  await is(ready);
  expect(connections).toEqual([starting, ready]);
});

test('pauses between tries grow, and a newly plugged-in port is tried at once', async () => {
  const { open, world, backend, clock, until } = lite({ longestPauseMs: 60_000 });
  const tries: number[] = [];
  world.beforeOpen = async () => {
    tries.push(clock.elapsedMs());
    if (tries.length === 9) world.ports = []; // the next pause would be more than a second
    throw new PortError('busy', 'why');
  };
  open();
  await until(() => backend.connection === notPluggedIn);
  expect(tries).toHaveLength(9);
  const pauses = tries.slice(1).map((ms, index) => ms - (tries[index] ?? 0));
  for (const [index, pauseMs] of pauses.entries()) expect(pauseMs).toBeGreaterThanOrEqual(5 * 2 ** index);
  world.ports = [PORT];
  await until(() => tries.length === 12);
});

test('missing power, a missing motor and a low supply are reported, and end by themselves', async () => {
  const { open, is, servos, triesMore, connections } = lite({ supplyMs: 20 });
  servos.setFaults([{ kind: 'silence' }]);
  open();
  await is(noPower);
  servos.setFaults([{ kind: 'dead-servo', motor: 'stewart_5' }]);
  await is(motorsSilent(['stewart_5']));
  servos.setFaults([]);
  servos.setSupplyV(3.2);
  await is(lowVoltage(3.2, 4.5));
  await triesMore(2);
  servos.setSupplyV(null);
  await is(ready);
  expect(connections).toEqual([starting, noPower, motorsSilent(['stewart_5']), lowVoltage(3.2, 4.5), ready]);
});

test('a motor that does not accept its configuration is reported', async () => {
  const { open, is, servos, world } = lite();
  world.answer = (packet) => {
    const forGain = packet.instruction === INSTRUCTION.syncRead && wordAt(packet.parameters, 0) === 84;
    const elsewhere = Uint8Array.of(116, 0, 2, 0, ...packet.parameters.subarray(4));
    return servos.answer(forGain ? { ...packet, parameters: elsewhere } : packet); // a gain other than the set one
  };
  open();
  await is(configurationRejected('body_rotation'));
});

test('a failed search for ports is reported', async () => {
  const { open, is, world } = lite();
  Object.defineProperty(world, 'ports', {
    get: () => {
      throw new Error('no permission to look');
    },
  });
  open();
  await is(searchFailed('no permission to look'));
});

test('a tick commands the motors with torque and measures all, with one request', async () => {
  let nowMs = 0;
  const { open, is, backend, line } = lite({}, () => nowMs);
  open();
  await is(ready);
  await backend.setTorque(true, ['stewart_1', 'left_antenna']);
  const before = line().packets.length;
  await backend.exchange(jointsFrom(joined(sleepJoints).map(() => -3)));
  const [goals, positions] = line().packets.slice(before);
  expect(goals).toEqual({
    id: 0xfe,
    instruction: INSTRUCTION.syncWrite,
    // 1502: as far as stewart_1 goes; 92: -3 rad
    parameters: Uint8Array.of(116, 0, 4, 0, 11, 1502 & 0xff, 1502 >> 8, 0, 0, 18, 92, 0, 0, 0),
  });
  expect(positions).toEqual({
    id: 0xfe,
    instruction: INSTRUCTION.syncRead,
    parameters: Uint8Array.of(132, 0, 4, 0, 10, 11, 12, 13, 14, 15, 16, 17, 18),
  });
  nowMs += 50;
  await backend.exchange(jointsFrom(joined(sleepJoints).map(() => -3)));
  const { stewart, antennas, bodyYaw } = backend.measured;
  expect(stewart[0]).toBeLessThan((sleepJoints.stewart[0] ?? 0) - 0.01);
  expect([bodyYaw, antennas[0]]).toEqual([expect.closeTo(0, 2), expect.closeTo(-3.05, 2)]);
});

test('the status of each motor is read once in 90 ticks', async () => {
  const { open, is, backend, line } = lite();
  open();
  await is(ready);
  line().packets.length = 0;
  for (let turn = 0; turn < 90; turn++) await backend.exchange(backend.measured);
  const asked = line().packets.filter(({ instruction }) => instruction === INSTRUCTION.read);
  expect(asked.map(({ id }) => id)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18]);
  expect(line().packets.filter(({ instruction }) => instruction === INSTRUCTION.syncRead)).toHaveLength(90);
});

test('a motor that shuts down is noticed in the same tick, and holds its position when it is switched on', async () => {
  const { open, is, backend, servos, during } = lite();
  open();
  await is(ready);
  await backend.setTorque(true, motorNames);
  servos.setFaults([{ kind: 'overload', motor: 'stewart_4' }]);
  await backend.exchange(backend.measured);
  expect(backend.motors[4]).toMatchObject({ torque: false, faults: ['overload'] });
  await expect(during(backend.setTorque(true, motorNames))).rejects.toEqual(
    new RobotUnavailable('The motor stewart_4 does not switch on.'),
  );
  servos.setFaults([]);
  await during(backend.setTorque(true, motorNames));
  expect(backend.motors.map(({ torque, faults }) => [torque, faults])).toEqual(Array(9).fill([true, []]));
  expect(backend.connection).toEqual(ready);
});

test('motors that are switched on hold their position and ignore their last goal', async () => {
  let nowMs = 0;
  const { open, is, backend, servos, world } = lite({}, () => nowMs);
  const positions = (register: { readonly address: number }) =>
    hardware.motors.map(({ id }) => {
      const parameters = Uint8Array.of(register.address, 0, 4, 0);
      return wordAt(servos.answer({ id, instruction: INSTRUCTION.read, parameters }), 9);
    });
  const farthest = (some: readonly number[] = [], others: readonly number[] = []) =>
    Math.max(...some.map((steps, index) => Math.abs(steps - (others[index] ?? 0))));
  const whenOn: number[][] = [];
  // Time passes with each packet, as much as one takes on a slow machine, so that the servos fall meanwhile.
  world.answer = (packet) => {
    nowMs += 2;
    const isTorque = packet.instruction === INSTRUCTION.syncWrite && packet.parameters[0] === 64;
    if (isTorque) whenOn.push(positions(registers.goalPosition), positions(registers.presentPosition));
    return servos.answer(packet);
  };
  open();
  await is(ready);
  await backend.setTorque(true, motorNames);
  await backend.exchange(jointsFrom(joined(sleepJoints).map((angle) => angle * 0.5)));
  nowMs += 100; // they rise
  await backend.setTorque(false, motorNames);
  const fallFrom = positions(registers.presentPosition);
  nowMs += 100; // they fall back
  whenOn.length = 0;
  await backend.setTorque(true, motorNames);
  expect(whenOn).toHaveLength(2);
  const [goals, present] = whenOn;
  expect(farthest(present, fallFrom)).toBeGreaterThan(100);
  expect(farthest(goals, present)).toBeLessThan(15); // they fall 7 steps in the three packets since they were measured
  expect(backend.motors.every(({ torque }) => torque)).toBe(true);
});

test('one missed answer changes nothing', async () => {
  const { open, is, backend, world, servos, connections, during } = lite();
  open();
  await is(ready);
  const { measured } = backend;
  world.answer = () => null;
  await during(backend.exchange(measured));
  world.answer = (packet) => servos.answer(packet);
  expect(backend.measured).toEqual(measured);
  expect(backend.motors.every(({ answers }) => answers)).toBe(true);
  expect(connections).toEqual([starting, ready]);
});

test('all motors silent for too long: the robot is lost, and is back with its motors', async () => {
  const { open, is, servos, turnUntil, backend, connections } = lite();
  open();
  await is(ready);
  servos.setFaults([{ kind: 'silence' }]);
  await turnUntil(() => backend.connection.state !== 'ready');
  expect(backend.motors.some(({ answers }) => answers)).toBe(false);
  await expect(backend.setTorque(false, motorNames)).rejects.toEqual(new RobotUnavailable(noPower.reason));
  servos.setFaults([]);
  await is(ready);
  expect(connections).toEqual([starting, ready, noPower, starting, ready]);
});

test('one motor silent for too long: an error that names it, until it answers', async () => {
  const { open, is, servos, turnUntil, triesMore, backend, connections } = lite();
  open();
  await is(ready);
  servos.setFaults([{ kind: 'dead-servo', motor: 'right_antenna' }]);
  await turnUntil(() => backend.connection.state !== 'ready');
  await triesMore(2);
  servos.setFaults([]);
  await is(ready);
  expect(connections).toEqual([starting, ready, motorsSilent(['right_antenna']), ready]);
});

test('a motor that falls silent while motors are switched is named', async () => {
  const { open, is, servos, backend, during } = lite();
  open();
  await is(ready);
  servos.setFaults([{ kind: 'dead-servo', motor: 'stewart_6' }]);
  await expect(during(backend.setTorque(true, motorNames))).rejects.toEqual(
    new RobotUnavailable('The motor stewart_6 does not answer.'),
  );
});

test('unplugged during a tick or a torque switch: reported, and back when it is plugged in again', async () => {
  const { open, is, backend, line, world, connections } = lite();
  open();
  await is(ready);
  world.answer = () => null;
  const turn = backend.exchange(backend.measured);
  world.ports = [];
  line().unplug();
  await turn;
  await is(notPluggedIn);
  await backend.exchange(backend.measured); // nothing to talk to, and nothing happens
  world.answer = lite().world.answer;
  world.ports = [PORT];
  await is(ready);
  const switching = backend.setTorque(true, motorNames);
  line().unplug();
  await expect(switching).rejects.toEqual(new RobotUnavailable(notPluggedIn.reason));
  await is(notPluggedIn);
  await is(ready);
  expect(connections).toEqual([starting, ready, notPluggedIn, starting, ready, notPluggedIn, starting, ready]);
});

test('after unplugging during bring-up the next try has no pause', async () => {
  const { open, is, world, servos, lines } = lite({ pollMs: 20, longestPauseMs: 60_000 });
  world.answer = (packet) => {
    const line = lines.at(-1);
    if (lines.length < 10 && (line?.packets.length ?? 0) >= lines.length) line?.unplug();
    return servos.answer(packet);
  };
  open();
  await is(ready);
  expect(lines).toHaveLength(10);
});

test.each([
  [
    'while no port is there',
    async ({ world, is, open }) => {
      world.ports = [];
      open();
      await is(notPluggedIn);
    },
  ],
  [
    'while a port is being opened',
    async ({ world, until, open }) => {
      world.beforeOpen = async (closing) => {
        await once(closing, 'abort');
      };
      open();
      await until(() => world.tries === 1);
    },
  ],
  [
    'while it waits to try again',
    async ({ world, until, open }) => {
      world.beforeOpen = async () => {
        throw new PortError('busy', 'why');
      };
      open();
      await until(() => world.tries === 4);
    },
  ],
  [
    'while motors are looked for',
    async ({ world, until, open, lines }) => {
      world.answer = () => null;
      open();
      await until(() => lines.length === 1);
    },
  ],
  [
    'while the supply comes up',
    async ({ servos, until, open, connections }) => {
      servos.setSupplyV(3);
      open();
      await until(() => connections.length === 2);
    },
  ],
  [
    'while a motor reboots',
    async ({ servos, until, open, logged }) => {
      servos.setFaults([{ kind: 'overload', motor: 'stewart_2' }]);
      open();
      await until(() => logged.length === 1);
    },
  ],
  [
    'in the middle of a turn',
    async ({ is, open, world, backend }) => {
      open();
      await is(ready);
      world.answer = () => null;
      void backend.exchange(backend.measured);
    },
  ],
] satisfies [string, (parts: ReturnType<typeof lite>) => Promise<void>][])(
  'closed %s, it ends: the line is closed, and nothing more is reported or tried',
  async (_, bringThere) => {
    const parts = lite();
    await bringThere(parts);
    const { clock, during, backend, connections, lines, world } = parts;
    const before = connections.length;
    await during(backend.close());
    const tries = world.tries;
    await clock.advance(5_000);
    expect(lines.some(({ isOpen }) => isOpen)).toBe(false);
    expect([connections.length, world.tries]).toEqual([before, tries]);
    await backend.exchange(backend.measured);
  },
);

test('a motor whose power failed for a moment has its gains again when it is switched on', async () => {
  let nowMs = 0;
  const { open, is, backend, servos } = lite({}, () => nowMs);
  const ask = (instruction: number, ...parameters: number[]) =>
    servos.answer({ id: 12, instruction, parameters: Uint8Array.from(parameters) });
  const gain = () => wordAt(ask(INSTRUCTION.read, registers.positionP.address, 0, 2, 0), 9);
  open();
  await is(ready);
  await backend.setTorque(true, motorNames);
  ask(INSTRUCTION.reboot);
  nowMs += 350;
  expect(gain()).toBe(400);
  await backend.setTorque(true, motorNames);
  expect(gain()).toBe(300);
  expect(backend.motors.every(({ torque }) => torque)).toBe(true);
});
