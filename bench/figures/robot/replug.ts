import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmulatorBackend } from '../../../daemon/robot/emulator/emulator-backend.ts';
import { ServoEmulator } from '../../../daemon/robot/emulator/servo-emulator.ts';
import { readHardware } from '../../../daemon/robot/lite/hardware.ts';
import { openSerialLine } from '../../../daemon/robot/lite/serial-line.ts';
import type { Connection } from '../../../daemon/robot/robot-backend.ts';
import { systemClock } from '../../../daemon/shared/clock.ts';
import { createLogger } from '../../../daemon/shared/logger.ts';
import { childEnvironment } from '../../../daemon/shared/processes/child-environment.ts';
import { projectDir } from '../../../daemon/testing/daemon/test-daemon.ts';
import { registerCleanup } from '../../harness/cleanup.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { systemPython } from '../../harness/python.ts';
import { summary } from '../../harness/samples.ts';

const AIM_MS = 2_000;
const BAUD = 115_200;
const TURN_MS = 20;

/** The time until a reconnected robot is available. */
export const replug: Figure = {
  name: 'replug',
  measures:
    'from plugging in the emulated servos, including the start of their pseudo-terminal, until all nine are ready again',
  beside: null,
  measure: async ({ quick }) => {
    const hardware = readHardware(join(projectDir, 'assets', 'hardware', 'lite.json'));
    const { executable } = await systemPython();
    const clock = systemClock;
    const log = createLogger('error');
    const emulator = new ServoEmulator({
      hardware,
      program: join(projectDir, 'assets', 'emulator', 'pseudo_terminal.py'),
      python: async () => executable,
      childEnvironment: () => childEnvironment(process.env, ''),
      clock,
      log,
    });
    const openLine = (path: string, signal: AbortSignal) => openSerialLine(clock, path, BAUD, signal);
    const backend = new EmulatorBackend(emulator, { hardware, platform: process.platform, openLine, clock, log });
    await using _backend = registerCleanup(() => backend.close());
    let onConnection: (connection: Connection) => void = () => {};
    const becomes = (ready: boolean) =>
      new Promise<void>((resolve) => {
        onConnection = ({ state }) => {
          if ((state === 'ready') === ready) resolve();
        };
      });
    const up = becomes(true);
    backend.open((connection) => onConnection(connection));
    await up;
    const loop = setInterval(() => void backend.exchange(backend.measured), TURN_MS);
    await using _loop = registerCleanup(async () => clearInterval(loop));
    const takenMs: number[] = [];
    for (let cycle = 0; cycle < (quick ? 3 : 100); cycle++) {
      const lost = becomes(false);
      emulator.simulator.setFaults([{ kind: 'unplugged' }]);
      await lost;
      await sleep((cycle * 37) % 300); // at any moment between two searches for a port
      const found = becomes(true);
      const pluggedMs = performance.now();
      emulator.simulator.setFaults([]);
      await found;
      takenMs.push(performance.now() - pluggedMs);
    }
    return [
      row('replug', 'ms', { ours: summary(takenMs), beside: null }, () => ({
        text: `p99 ≤ ${AIM_MS} ms`,
        mostAtP99: AIM_MS,
      })),
    ];
  },
};
