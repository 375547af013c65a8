import { expect, test, vi } from 'vitest';
import { type FakeTerminal, newEmulator, settle, startedEmulator } from '../../testing/emulator-on-fake-terminals.ts';
import { registers } from '../lite/registers.ts';
import { PseudoTerminalFailed } from './pseudo-terminal.ts';

const LEFT = 18;

test('its port is opened by the Python that was found, and has the path of the terminal as soon as that is open', async () => {
  const { emulator, terminals, latest, stop } = newEmulator();
  expect(emulator.path).toBeNull();
  let isStarted = false;
  const start = emulator.start().then(() => {
    isStarted = true;
  });
  await settle();
  const { python, program, environment } = latest().options;
  expect([python, program, environment]).toEqual(['/usr/bin/python3', '/assets/pseudo_terminal.py', { MARK: '0' }]);
  expect([isStarted, emulator.path, terminals.length]).toEqual([false, null, 1]);
  await latest().open('/dev/pts/1');
  await start;
  expect(emulator.path).toBe('/dev/pts/1');
  await stop();
});

test('a stop ends the program of the terminal and waits until it has ended; nothing is opened after it', async () => {
  const { emulator, terminals, latest, clock, setUnplugged, logged } = await startedEmulator();
  let isStopped = false;
  const stopped = emulator.stop().then(() => {
    isStopped = true;
  });
  await settle();
  expect([latest().isClosing, emulator.path, isStopped]).toEqual([true, null, false]);
  await latest().end();
  await stopped;
  setUnplugged(true);
  setUnplugged(false);
  await clock.advance(5_000);
  expect([terminals.length, logged]).toEqual([1, []]);
});

test('a stop waits also for terminals that were unplugged before', async () => {
  const { emulator, terminals, setUnplugged } = await startedEmulator();
  setUnplugged(true);
  setUnplugged(false);
  await settle();
  let isStopped = false;
  const stopped = emulator.stop().then(() => {
    isStopped = true;
  });
  const [first, second] = terminals as [FakeTerminal, FakeTerminal];
  await second.end();
  expect([first.isClosing, second.isClosing, isStopped]).toEqual([true, true, false]);
  await first.end();
  await stopped;
});

test('a stop while the terminal is opened is no failure of the start', async () => {
  const { emulator, latest, stop } = newEmulator();
  const start = emulator.start();
  await settle();
  await stop();
  await start;
  expect([latest().isClosing, emulator.path]).toEqual([true, null]);
});

test('a start that fails tells why, and leaves nothing that tries again', async () => {
  const failing = newEmulator();
  const start = failing.emulator.start().catch((error: unknown) => error);
  await settle();
  await failing.latest().end();
  expect(await start).toBeInstanceOf(PseudoTerminalFailed);
  expect(failing.latest().isClosing).toBe(true);
  failing.setUnplugged(true);
  failing.setUnplugged(false);
  const none = new Error('There is no Python here.');
  const withoutPython = newEmulator({ python: () => Promise.reject(none) });
  await expect(withoutPython.emulator.start()).rejects.toBe(none);
  for (const { clock } of [failing, withoutPython]) await clock.advance(5_000);
  expect([failing.terminals.length, withoutPython.terminals.length]).toEqual([1, 0]);
});

test('Windows has no pseudo-terminal, and gets the advice to use the simulation', async () => {
  const { emulator, terminals } = newEmulator();
  const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
  const start = emulator.start().catch((error: unknown) => error);
  platform.mockRestore();
  await settle();
  expect(terminals).toEqual([]);
  expect(String(await start)).toMatch(/Windows has none\. Use the simulation\.$/);
});

test('an unplugged robot has no port; the same fault again changes nothing, and a new port comes without it', async () => {
  const { emulator, terminals, latest, setUnplugged, stop, logged } = await startedEmulator();
  latest().switchOn(LEFT);
  setUnplugged(true);
  setUnplugged(true);
  await latest().end();
  expect([emulator.path, terminals.length, latest().isClosing]).toEqual([null, 1, true]);
  setUnplugged(false);
  setUnplugged(false);
  await settle();
  expect(terminals).toHaveLength(2);
  await latest().open('/dev/pts/2');
  expect(emulator.path).toBe('/dev/pts/2');
  expect(latest().read(LEFT, registers.torqueEnable)).toBe(1); // the servos have their own power supply
  expect(logged).toEqual([]);
  await stop();
});

test('a robot that is unplugged before its start has a port once it is plugged in', async () => {
  const { emulator, terminals, latest, setUnplugged, stop } = newEmulator();
  setUnplugged(true);
  const start = emulator.start();
  await settle();
  expect([terminals, emulator.path]).toEqual([[], null]);
  await start;
  setUnplugged(false);
  await settle();
  await latest().open('/dev/pts/1');
  expect(emulator.path).toBe('/dev/pts/1');
  await stop();
});

test('a terminal that ends by itself is opened again after a second, and each second until one opens', async () => {
  const { emulator, terminals, latest, clock, logged, stop } = await startedEmulator();
  await latest().end();
  expect(emulator.path).toBeNull();
  await clock.advance(999);
  expect(terminals).toHaveLength(1);
  await clock.advance(1);
  expect(terminals).toHaveLength(2);
  await latest().end();
  await clock.advance(1_000);
  await latest().open('/dev/pts/3');
  expect([terminals.length, emulator.path]).toEqual([3, '/dev/pts/3']);
  const ended = "warn  robot: the emulator's pseudo-terminal has ended and is opened again";
  const failed = "error robot: the emulator's pseudo-terminal could not be opened again: Python ended.";
  expect(logged).toEqual([ended, failed, ended]);
  await stop();
});

test('a terminal that cannot be opened when the robot is plugged in is tried again after a second', async () => {
  const { emulator, terminals, latest, clock, setUnplugged, stop } = await startedEmulator();
  setUnplugged(true);
  setUnplugged(false);
  await settle();
  await latest().end();
  await clock.advance(1_000);
  await latest().open('/dev/pts/3');
  expect([terminals.length, emulator.path]).toEqual([3, '/dev/pts/3']);
  await stop();
});

test('a robot that is unplugged, or stopped, while its terminal is to be opened again gets none', async () => {
  const { terminals, latest, clock, setUnplugged, stop } = await startedEmulator();
  await latest().end();
  setUnplugged(true);
  await clock.advance(5_000);
  expect(terminals).toHaveLength(1);
  setUnplugged(false);
  await settle();
  await latest().open('/dev/pts/2');
  await latest().end();
  await stop();
  await clock.advance(5_000);
  expect(terminals).toHaveLength(2);
});
