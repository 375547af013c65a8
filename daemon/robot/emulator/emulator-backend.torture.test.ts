/** The lite robot's own software over a real serial port: the tests of every backend, and lines with faults. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from 'vitest';
import { systemClock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { type BackendUnderTest, backendContract } from '../../testing/backend-contract.ts';
import { projectDir } from '../../testing/daemon/test-daemon.ts';
import { faultyLine, type LineFaults } from '../../testing/line-faults.ts';
import { readHardware } from '../lite/hardware.ts';
import { openSerialLine } from '../lite/serial-line.ts';
import { EmulatorBackend } from './emulator-backend.ts';
import { ServoEmulator } from './servo-emulator.ts';

const hardware = readHardware(join(projectDir, 'assets', 'hardware', 'lite.json'));
const log = createLogger('error', () => {});

async function overEmulator(faults: LineFaults): Promise<BackendUnderTest> {
  const { openTerminal, setFaults } = faultyLine();
  setFaults(faults);
  const emulator = new ServoEmulator({
    hardware,
    program: join(projectDir, 'assets', 'emulator', 'pseudo_terminal.py'),
    python: async () => 'python3',
    childEnvironment: () => ({ PATH: process.env['PATH'] ?? '' }),
    clock: systemClock,
    log,
    openTerminal,
  });
  const openLine = (path: string, signal: AbortSignal) => openSerialLine(systemClock, path, hardware.baudRate, signal);
  const backend = new EmulatorBackend(emulator, {
    hardware,
    platform: process.platform,
    openLine,
    clock: systemClock,
    log,
  });
  let nextMs = performance.now();
  const pass = async () => {
    nextMs = Math.max(performance.now(), nextMs + 20);
    await sleep(Math.max(0, nextMs - performance.now()));
  };
  return { backend, pass, toleranceRad: 0.02 };
}

/** Each fault alone takes long and runs in `npm run torture`; this runs all of them at once. */
const badLines: readonly (readonly [string, LineFaults])[] = process.env['TORTURE_LINES']
  ? [
      ['a line that loses one byte in five hundred', { dropByte: 0.002 }],
      ['a line that garbles one byte in five hundred', { corruptByte: 0.002 }],
      ['a line that is late with one answer in ten', { lateShare: 0.1, lateMs: 30 }],
    ]
  : [['a bad line in every way', { dropByte: 0.0007, corruptByte: 0.0007, lateShare: 0.03, lateMs: 30 }]];

describe.each([['a good line', {}] as const, ...badLines])('on %s', (_name, faults) => {
  backendContract(() => overEmulator(faults));
});
