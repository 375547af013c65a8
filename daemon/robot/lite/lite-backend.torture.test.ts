/**
 * The lite robot on emulated servos, over the real `serialport` and a real pseudo-terminal: what only these can show. What
 * the backend does about its motors is in `lite-backend.test.ts`.
 */
import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RobotJoints } from '../../contract/robot/robot.ts';
import { systemClock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { childEnvironment } from '../../shared/processes/child-environment.ts';
import { projectDir } from '../../testing/daemon/test-daemon.ts';
import { faultyLine, type LineFaults } from '../../testing/line-faults.ts';
import { ServoEmulator, type ServoEmulatorOptions } from '../emulator/servo-emulator.ts';
import { RobotUnavailable } from '../errors.ts';
import { defaultJoints, sleepJoints } from '../motions/posture.ts';
import { joined, largestDifference, motorNames } from '../motors.ts';
import type { Connection } from '../robot-backend.ts';
import { randomNumbers } from '../simulation/random-numbers.ts';
import { notPluggedIn, portRefused, starting } from './connection-text.ts';
import { readHardware } from './hardware.ts';
import { LiteBackend } from './lite-backend.ts';
import { openSerialLine, type PortError } from './serial-line.ts';

const hardware = readHardware(join(projectDir, 'assets', 'hardware', 'lite.json'));
/** A pseudo-terminal has no baud rate; macOS accepts only the standard ones. */
const baudRate = process.platform === 'darwin' ? 115_200 : hardware.baudRate;
const ready: Connection = { state: 'ready' };
const REPLUG_CYCLES = Number(process.env['TORTURE_REPLUGS'] ?? 5);
const TURN_MS = 20;
/** `npm run torture` runs each fault alone; here all run at once. */
const badLines: readonly (readonly [string, LineFaults])[] = [
  ...(process.env['TORTURE_LINES']
    ? ([
        ['loses bytes', { dropByte: 0.002 }],
        ['damages bytes', { corruptByte: 0.002 }],
        ['has answers late', { lateShare: 0.2, lateMs: 35 }],
      ] as const)
    : []),
  ['does all of that', { dropByte: 0.001, corruptByte: 0.001, lateShare: 0.1, lateMs: 25 }],
];
const SOON = { timeout: 20_000, interval: 5 };

describe.skipIf(process.platform === 'win32')('the lite backend on emulated servos', () => {
  test('servos with the factory configuration are configured, hold their position, and follow their goals', {
    tags: ['smoke'],
  }, async () => {
    const { backend, is, connections, lead, setTorque } = await lite({ configuration: 'factory' });
    await is(ready);
    expect(connections).toEqual([starting, ready]);
    expect(backend.motors.map(({ torque, answers, faults }) => [torque, answers, faults])).toEqual(
      Array(9).fill([false, true, []]),
    );
    expect(largestDifference(backend.measured, sleepJoints)).toBeLessThan(0.01);

    await setTorque(true, motorNames);
    expect(largestDifference(backend.measured, sleepJoints)).toBeLessThan(0.01);
    await lead(defaultJoints);
    expect(backend.motors.every(({ torque }) => torque)).toBe(true);

    await setTorque(false, ['right_antenna']);
    const antenna = (side: 0 | 1) => backend.measured.antennas[side] ?? 0;
    await vi.waitFor(() => expect(antenna(0)).toBeLessThan(-2.9), SOON);
    expect(antenna(1)).toBeCloseTo(defaultJoints.antennas[1] ?? 0, 1);
    expect(backend.motors.filter(({ torque }) => !torque).map(({ name }) => name)).toEqual(['right_antenna']);
  });

  test.each(badLines)(
    'on a line that %s the robot comes up, holds and moves, and no joint angle is wrong',
    async (_, faults) => {
      const { openTerminal, setFaults } = faultyLine({ seed: 11 });
      const { connections, lead, setTorque, measured } = await lite({ openTerminal }, () => setFaults(faults));
      await vi.waitFor(() => setTorque(true, motorNames), SOON);
      const before = connections.length;
      let from = sleepJoints;
      for (const there of [defaultJoints, sleepJoints, defaultJoints]) {
        measured.length = 0;
        await lead(there);
        const [start, end] = [joined(from), joined(there)];
        for (const joints of measured) {
          const astray = joined(joints).filter((angle, index) => {
            const [a, b] = [start[index] ?? 0, end[index] ?? 0];
            return angle < Math.min(a, b) - 0.05 || angle > Math.max(a, b) + 0.05;
          });
          expect(astray).toEqual([]);
        }
        from = there;
      }
      expect(connections.slice(before)).toEqual([]);
    },
  );

  test('a port in use by another program is reported, and opened when it is free', async () => {
    let other: Awaited<ReturnType<typeof openSerialLine>> | undefined;
    const { backend, is, emulator } = await lite({}, async (emulator) => {
      other = await openSerialLine(systemClock, emulator.path ?? '', baudRate, new AbortController().signal);
    });
    const { path } = emulator;
    await is(portRefused('busy', path ?? '', '', { usb: hardware.usb, platform: 'linux' }));
    await other?.close();
    await is(ready);
    expect(backend.motors.every(({ answers }) => answers)).toBe(true);
  });

  test('a missing port and a file that is not a port are distinguished', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'file'), '');
    const refusal = (path: string) =>
      openSerialLine(systemClock, path, baudRate, new AbortController().signal).catch(
        (error: PortError) => error.refusal,
      );
    expect(await refusal(join(folder, 'nothing'))).toBe('gone');
    expect(await refusal(join(folder, 'file'))).toBe('other');
  });

  test('a port opened after its request was aborted is closed', async () => {
    const emulator = await startedEmulator();
    const before = descriptors();
    const stopping = new AbortController();
    const opening = openSerialLine(systemClock, emulator.path ?? '', baudRate, stopping.signal);
    stopping.abort();
    await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
    await vi.waitFor(() => expect(descriptors()).toBeLessThanOrEqual(before), SOON);
    await (await openSerialLine(systemClock, emulator.path ?? '', baudRate, new AbortController().signal)).close();
  });

  test('unread bytes do not accumulate', async () => {
    const emulator = await startedEmulator();
    const line = await openSerialLine(systemClock, emulator.path ?? '', baudRate, new AbortController().signal);
    for (let count = 0; count < 100_000; count++) line.write(new Uint8Array(100)); // 10 MB in one turn
    await line.close();
    expect(await line.closed).toBe('closed');
    line.write(new Uint8Array(100)); // without a reader, this does nothing
  });

  test('unplugging during a cycle, a torque switch or bring-up is reported, and the robot is back each time', async () => {
    const random = randomNumbers(5);
    const { backend, emulator, is, plug, setTorque } = await lite();
    await is(ready);
    for (let count = 0; count < 6; count++) {
      const switching = setTorque(count % 2 === 0, motorNames).catch((error: Error) => error);
      await sleep(random() * 12);
      plug(false);
      const outcome = await switching;
      if (outcome !== undefined) expect(outcome).toEqual(new RobotUnavailable(notPluggedIn.reason));
      await is(notPluggedIn);
      plug(true);
      await vi.waitFor(() => expect(emulator.path).not.toBeNull(), SOON);
      await sleep(random() * 400); // often just while it comes up
      plug(false);
      plug(true);
      await is(ready);
    }
    expect(backend.motors.every(({ answers }) => answers)).toBe(true);
  });

  test(`after each of ${REPLUG_CYCLES} replugs the robot is back, and nothing leaks`, {
    timeout: 60_000 + REPLUG_CYCLES * 10_000,
  }, async () => {
    const { backend, emulator, is, plug, signal, setTorque } = await lite();
    await is(ready);
    await setTorque(true, motorNames);
    const left = () => ({ descriptors: descriptors(), listeners: getEventListeners(signal(), 'abort').length });
    const cycle = async () => {
      plug(false);
      await is(notPluggedIn);
      plug(true);
      await is(ready);
      expect(backend.motors.map(({ answers, torque }) => [answers, torque])).toEqual(Array(9).fill([true, true]));
    };
    await cycle();
    const first = left();
    for (let count = 1; count < REPLUG_CYCLES; count++) await cycle();
    await vi.waitFor(() => {
      const last = left();
      expect(last.descriptors).toBeLessThanOrEqual(first.descriptors);
      expect(last.listeners).toBeLessThanOrEqual(first.listeners);
    }, SOON);
    expect(emulator.path).not.toBeNull();
  });

  test.each([
    ['as soon as it was opened', async () => {}],
    ['while the port is opened and its motors come up', () => sleep(40)],
    ['while it is up', ({ is }: Lite) => is(ready)],
    [
      'while motors are switched',
      async ({ is, setTorque }: Lite) => {
        await is(ready);
        setTorque(true, motorNames).catch(() => {});
        await sleep(5);
      },
    ],
  ])('closed %s, nothing remains of it', async (_, bringThere) => {
    const parts = await lite();
    await bringThere(parts);
    await parts.backend.close();
    await parts.emulator.stop();
    expect(getEventListeners(parts.signal(), 'abort')).toEqual([]);
    await vi.waitFor(() => expect(descriptors()).toBeLessThanOrEqual(parts.before), SOON);
  });
});

type Lite = Awaited<ReturnType<typeof lite>>;

/** Number of open files of this process. */
const descriptors = () => readdirSync(process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd').length;

async function startedEmulator(options: Partial<ServoEmulatorOptions> = {}): Promise<ServoEmulator> {
  const emulator = new ServoEmulator({
    hardware,
    program: join(projectDir, 'assets', 'emulator', 'pseudo_terminal.py'),
    python: async () => 'python3',
    childEnvironment: () => childEnvironment(process.env, randomUUID()),
    clock: systemClock,
    log: createLogger('error'),
    ...options,
  });
  onTestFinished(() => emulator.stop());
  await emulator.start();
  return emulator;
}

/** A backend on emulated servos, with a control loop that turns until the end. */
async function lite(
  emulatorOptions: Partial<ServoEmulatorOptions> = {},
  prepare: (emulator: ServoEmulator) => void | Promise<void> = () => {},
) {
  const before = descriptors();
  const emulator = await startedEmulator(emulatorOptions);
  await prepare(emulator);
  let signal = new AbortController().signal;
  const connections: Connection[] = [];
  const backend = new LiteBackend({
    kind: 'emulator',
    hardware,
    platform: 'linux',
    findPorts: async () => (emulator.path === null ? [] : [emulator.path]),
    openLine: (path, stopping) => {
      signal = stopping;
      return openSerialLine(systemClock, path, baudRate, stopping);
    },
    simulator: emulator.simulator,
    clock: systemClock,
    log: createLogger('error'),
  });

  let goal: RobotJoints | null = null;
  const errands: (() => Promise<void>)[] = [];
  const measured: RobotJoints[] = [];
  let turning = true;
  const loop = (async () => {
    while (turning) {
      for (const errand of errands.splice(0)) await errand();
      await backend.exchange(goal ?? backend.measured);
      measured.push(backend.measured);
      await sleep(TURN_MS);
    }
  })();
  onTestFinished(async () => {
    turning = false;
    await loop;
    await backend.close();
  });
  backend.open((connection) => void connections.push(connection));
  return {
    ...{ backend, emulator, connections, measured, before },
    signal: () => signal,
    /** Waits until the connection has this state. */
    is: (connection: Connection) => vi.waitFor(() => expect(backend.connection).toEqual(connection), SOON),
    plug: (isIn: boolean) => emulator.simulator.setFaults(isIn ? [] : [{ kind: 'unplugged' }]),
    /** Commands the joints, and waits until they arrive. */
    lead: async (there: RobotJoints) => {
      goal = there;
      await vi.waitFor(() => expect(largestDifference(backend.measured, there)).toBeLessThan(0.02), SOON);
    },
    /** Runs between two cycles, as in the control loop; the joints then hold their position. */
    setTorque: (on: boolean, motors: Parameters<LiteBackend['setTorque']>[1]) =>
      new Promise<void>((resolve, reject) => {
        errands.push(async () => {
          const switched = backend.setTorque(on, motors);
          await switched.catch(() => {});
          goal = backend.measured;
          await switched.then(resolve, reject);
        });
      }),
  };
}
