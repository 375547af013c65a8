/** The emulator as a serial port: the real `serialport` on a real pseudo-terminal. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { SerialPort } from 'serialport';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { settlesWithin } from '../../shared/async/settles-within.ts';
import { systemClock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { CHILD_MARK_VARIABLE, childEnvironment } from '../../shared/processes/child-environment.ts';
import { processesWithEnvironment } from '../../shared/processes/processes.ts';
import { projectDir } from '../../testing/daemon/test-daemon.ts';
import { faultyLine } from '../../testing/line-faults.ts';
import { BROADCAST_ID, encodePacket, INSTRUCTION, PacketReader, type Status, statusOf } from '../lite/dynamixel.ts';
import { readHardware } from '../lite/hardware.ts';
import { numberBytes, type Register, readNumber, registers } from '../lite/registers.ts';
import { PseudoTerminalFailed } from './pseudo-terminal.ts';
import { ServoEmulator, type ServoEmulatorOptions } from './servo-emulator.ts';

const hardware = readHardware(join(projectDir, 'assets', 'hardware', 'lite.json'));
const program = join(projectDir, 'assets', 'emulator', 'pseudo_terminal.py');
const ids = hardware.motors.map(({ id }) => id);
/** A pseudo-terminal has no baud rate; macOS accepts only the standard ones. */
const baudRate = process.platform === 'darwin' ? 115_200 : hardware.baudRate;
const SOON_MS = 10_000;

describe.skipIf(process.platform === 'win32')('the emulator', () => {
  test('all nine servos answer, and move to their goals', async () => {
    const { port } = await startedWithPort();
    const pinged = await port.ask(BROADCAST_ID, INSTRUCTION.ping, [], ids.length);
    expect(pinged.map(({ id }) => id)).toEqual(ids);
    port.syncWrite(registers.torqueEnable, new Map(ids.map((id) => [id, 1])));
    const goals = new Map(
      hardware.motors.map(({ id, minPosition, maxPosition }) => [id, (minPosition + maxPosition) >> 1]),
    );
    port.syncWrite(registers.goalPosition, goals);
    await vi.waitFor(async () => {
      for (const [id, steps] of await port.syncRead(registers.presentPosition)) {
        expect(Math.abs(steps - (goals.get(id) ?? 0))).toBeLessThanOrEqual(2);
      }
    }, SOON_MS);
  });

  test('the servos keep their state when the port is closed and opened again', async () => {
    const { emulator, port } = await startedWithPort();
    port.syncWrite(registers.torqueEnable, new Map([[18, 1]]));
    await port.syncRead(registers.torqueEnable);
    await port.close();
    const again = await opened(emulator.path);
    expect(await again.syncRead(registers.torqueEnable)).toEqual(new Map(ids.map((id) => [id, id === 18 ? 1 : 0])));
  });

  test('unplugging closes the open port; plugging in creates a new one, and the servos keep their state', async () => {
    const { emulator, port } = await startedWithPort();
    port.syncWrite(registers.torqueEnable, new Map([[18, 1]]));
    await port.syncRead(registers.torqueEnable);
    const path = emulator.path ?? '';
    emulator.simulator.setFaults([{ kind: 'unplugged' }]);
    expect(emulator.path).toBeNull();
    await vi.waitFor(() => expect(existsSync(path)).toBe(false), SOON_MS);
    expect(await port.ask(BROADCAST_ID, INSTRUCTION.ping, [], 1, 100)).toEqual([]);
    await port.close();
    emulator.simulator.setFaults([]);
    const again = await opened(await pathOf(emulator));
    expect((await again.syncRead(registers.torqueEnable)).get(18)).toBe(1);
  });

  test('the robot can be unplugged and plugged in repeatedly without a pause', async () => {
    const mark = randomUUID();
    const { emulator, port } = await startedWithPort({ childEnvironment: environment(mark) });
    for (let count = 0; count < 20; count++) {
      emulator.simulator.setFaults([{ kind: 'unplugged' }]);
      emulator.simulator.setFaults([]);
    }
    expect(await port.ask(BROADCAST_ID, INSTRUCTION.ping, [], 1, 100)).toEqual([]);
    await port.close();
    const again = await opened(await pathOf(emulator));
    expect(await again.ask(BROADCAST_ID, INSTRUCTION.ping, [], ids.length)).toHaveLength(ids.length);
    await vi.waitFor(async () => expect(await childrenOf(mark)).toHaveLength(1), SOON_MS);
    await emulator.stop();
    expect(await childrenOf(mark)).toEqual([]);
    expect(emulator.path).toBeNull();
  });

  test('faults and touches take effect', async () => {
    const { emulator, port } = await startedWithPort();
    emulator.simulator.setFaults([
      { kind: 'dead-servo', motor: 'stewart_1' },
      { kind: 'overload', motor: 'stewart_2' },
    ]);
    const errors = await port.syncRead(registers.hardwareErrorStatus, ids.length - 1);
    expect(errors).toEqual(new Map(ids.filter((id) => id !== 11).map((id) => [id, id === 12 ? 0x20 : 0])));
    emulator.simulator.setFaults([{ kind: 'silence' }]);
    expect(await port.ask(BROADCAST_ID, INSTRUCTION.ping, [], 1, 200)).toEqual([]);
    emulator.simulator.setFaults([]);

    const before = (await port.syncRead(registers.presentPosition)).get(18) ?? 0;
    emulator.simulator.touch('left');
    await vi.waitFor(
      async () => expect((await port.syncRead(registers.presentPosition)).get(18)).toBeLessThan(before - 160),
      { timeout: SOON_MS, interval: 20 },
    );
  });

  test('a bad line loses and corrupts bytes in both directions, but complete packets are correct; without the fault none is lost', async () => {
    const { openTerminal, setFaults } = faultyLine({ seed: 3 });
    const { port } = await startedWithPort({ openTerminal });
    const wanted = await port.syncRead(registers.presentPosition);
    setFaults({ dropByte: 0.005, corruptByte: 0.005 });
    let answered = 0;
    for (let count = 0; count < 50; count++) {
      const positions = await port.syncRead(registers.presentPosition, ids.length, 50);
      answered += positions.size;
      for (const [id, steps] of positions) expect(steps).toBe(wanted.get(id));
    }
    expect(answered).toBeGreaterThan(50);
    expect(answered).toBeLessThan(50 * ids.length);
    setFaults({});
    port.forget();
    for (let count = 0; count < 20; count++) expect(await port.syncRead(registers.presentPosition)).toEqual(wanted);
  });

  test('answers can be delayed', async () => {
    const { openTerminal, setFaults } = faultyLine();
    const { port } = await startedWithPort({ openTerminal });
    setFaults({ lateShare: 1, lateMs: 300 });
    const askedAt = performance.now();
    expect(await port.ask(10, INSTRUCTION.ping, [], 1)).toHaveLength(1);
    expect(performance.now() - askedAt).toBeGreaterThan(295);
  });

  test('a client that sends and never reads does not block the emulator', async () => {
    const { emulator, port } = await startedWithPort();
    port.pause();
    const ping = encodePacket({ id: BROADCAST_ID, instruction: INSTRUCTION.ping, parameters: new Uint8Array(0) });
    for (let count = 0; count < 100; count++) {
      port.write(Buffer.concat(Array.from({ length: 100 }, () => ping)));
      await sleep(1);
    }
    await port.close();
    const again = await opened(emulator.path);
    await vi.waitFor(async () => {
      again.forget();
      expect(await again.ask(18, INSTRUCTION.ping, [], 1, 100)).toHaveLength(1);
    }, SOON_MS);
  });

  test('a killed program is started again', async () => {
    const mark = randomUUID();
    const { emulator, port } = await startedWithPort({ childEnvironment: environment(mark) });
    const [child, ...others] = await childrenOf(mark);
    if (child === undefined) throw new Error('The program is not there.');
    expect(others).toEqual([]);
    process.kill(child, 'SIGKILL');
    await port.close();
    await vi.waitFor(() => expect(emulator.path).toBeNull(), SOON_MS);
    const again = await opened(await pathOf(emulator));
    expect(await again.ask(10, INSTRUCTION.ping, [], 1)).toHaveLength(1);
  });

  test('without a working Python it reports the failure, and leaves nothing', async () => {
    for (const python of ['/nowhere/python3', process.execPath]) {
      const emulator = new ServoEmulator(optionsWith({ python: async () => python }));
      await expect(emulator.start()).rejects.toThrow(PseudoTerminalFailed);
      expect(emulator.path).toBeNull();
    }
    const none = new Error('There is no Python here.');
    const emulator = new ServoEmulator(optionsWith({ python: () => Promise.reject(none) }));
    await expect(emulator.start()).rejects.toBe(none);
  });

  test('the program ends on a signal and at the end of its standard input', async () => {
    for (const end of ['stdin', 'SIGTERM'] as const) {
      const child = execa('python3', ['-I', '-B', program], { stdin: 'pipe', reject: false });
      onTestFinished(() => void child.kill('SIGKILL'));
      const [line] = await once(child.stderr, 'data');
      expect(JSON.parse(String(line))).toEqual({ path: expect.stringMatching(/^\/dev\//) });
      if (end === 'stdin') child.stdin.end();
      else child.kill(end);
      expect(await child).toMatchObject(end === 'stdin' ? { exitCode: 0 } : { signal: 'SIGTERM' });
    }
  });

  test('nothing remains after its parent process is killed', { tags: ['smoke'] }, async () => {
    const mark = randomUUID();
    const source = `
      import { ServoEmulator } from './daemon/robot/emulator/servo-emulator.ts';
      import { readHardware } from './daemon/robot/lite/hardware.ts';
      import { systemClock } from './daemon/shared/clock.ts';
      const emulator = new ServoEmulator({
        hardware: readHardware('assets/hardware/lite.json'),
        program: 'assets/emulator/pseudo_terminal.py',
        python: async () => 'python3',
        childEnvironment: () => ({ PATH: process.env.PATH, ${CHILD_MARK_VARIABLE}: '${mark}' }),
        clock: systemClock,
        log: console,
      });
      await emulator.start();
      console.log(emulator.path);
      setInterval(() => {}, 1000);`;
    const args = ['--input-type=module', '-e', source];
    const host = execa(process.execPath, args, { cwd: projectDir, reject: false });
    onTestFinished(() => void host.kill('SIGKILL'));
    const [path] = await once(host.stdout, 'data');
    const port = await opened(String(path).trim());
    expect(await port.ask(10, INSTRUCTION.ping, [], 1)).toHaveLength(1);
    expect(await childrenOf(mark)).toHaveLength(1);
    host.kill('SIGKILL');
    await port.close();
    await vi.waitFor(async () => expect(await childrenOf(mark)).toEqual([]), SOON_MS);
  });
});

const environment = (mark: string) => () => childEnvironment(process.env, mark);
const childrenOf = (mark: string) => processesWithEnvironment(CHILD_MARK_VARIABLE, mark);

function optionsWith(options: Partial<ServoEmulatorOptions>): ServoEmulatorOptions {
  return {
    hardware,
    program,
    python: async () => 'python3',
    childEnvironment: environment(randomUUID()),
    clock: systemClock,
    log: createLogger('error'),
    ...options,
  };
}

async function started(options: Partial<ServoEmulatorOptions> = {}): Promise<ServoEmulator> {
  const emulator = new ServoEmulator(optionsWith(options));
  onTestFinished(() => emulator.stop());
  await emulator.start();
  return emulator;
}

async function startedWithPort(options: Partial<ServoEmulatorOptions> = {}) {
  const emulator = await started(options);
  return { emulator, port: await opened(emulator.path) };
}

async function pathOf(emulator: ServoEmulator): Promise<string> {
  return await vi.waitFor(() => emulator.path ?? expect.fail('it is not plugged in'), SOON_MS);
}

/** Opens the port like any program, and sends the servos one request at a time. */
async function opened(path: string | null) {
  const port = new SerialPort({ path: path ?? '', baudRate, autoOpen: false });
  const reader = new PacketReader();
  let answers: Status[] = [];
  let enough = () => {};
  port.on('data', (bytes: Buffer) => {
    answers.push(...reader.push(bytes).flatMap((packet) => statusOf(packet) ?? []));
    enough();
  });
  port.on('error', () => {}); // writes to a closed port fail
  await new Promise<void>((resolve, reject) => port.open((error) => (error ? reject(error) : resolve())));
  onTestFinished(() => void (port.isOpen && port.close()));

  /** @returns the expected number of answers, or those that arrived within `withinMs` */
  const ask = async (id: number, instruction: number, parameters: number[], wanted: number, withinMs = 3_000) => {
    answers = [];
    const { promise: all, resolve } = Promise.withResolvers<void>();
    enough = () => answers.length >= wanted && resolve();
    port.write(encodePacket({ id, instruction, parameters: Uint8Array.from(parameters) }));
    await settlesWithin(systemClock, withinMs, all);
    return answers;
  };
  const span = ({ address, bytes }: Register) => [address, 0, bytes, 0];
  return {
    ask,
    write: (bytes: Uint8Array) => port.write(bytes),
    pause: () => port.pause(),
    /** Closes the port: one that disappears during a read does not always close itself. */
    close: () => new Promise<void>((resolve) => port.close(() => resolve())),
    /** Drops an incomplete answer. */
    forget: () => reader.reset(),
    syncWrite: (register: Register, values: ReadonlyMap<number, number>) => {
      const each = [...values].flatMap(([id, value]) => [id, ...numberBytes(value, register)]);
      const parameters = Uint8Array.from([...span(register), ...each]);
      port.write(encodePacket({ id: BROADCAST_ID, instruction: INSTRUCTION.syncWrite, parameters }));
    },
    syncRead: async (register: Register, wanted = ids.length, withinMs = 3_000) => {
      const given = await ask(BROADCAST_ID, INSTRUCTION.syncRead, [...span(register), ...ids], wanted, withinMs);
      return new Map(given.map(({ id, data }) => [id, readNumber(data, register)]));
    },
  };
}
