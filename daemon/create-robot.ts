import { join } from 'node:path';
import type { BaseParts } from './create-base.ts';
import { liteParts } from './create-lite-backend.ts';
import { ControlLoop } from './robot/control-loop.ts';
import { EmulatorBackend } from './robot/emulator/emulator-backend.ts';
import { ServoEmulator } from './robot/emulator/servo-emulator.ts';
import { noRobotHelp } from './robot/lite/connection-text.ts';
import { readHardware } from './robot/lite/hardware.ts';
import { Robot } from './robot/robot.ts';
import type { RobotBackend } from './robot/robot-backend.ts';
import { AutoBackend } from './robot/simulation/auto-backend.ts';
import { SimulationBackend } from './robot/simulation/simulation-backend.ts';

/** How often to look for a real robot while the simulated one is used. */
const POLL_EVERY_MS = 1_000;

/** The baud rate for a pseudo-terminal, which ignores it. Not every system knows the servos' own rate. */
const PSEUDO_TERMINAL_BAUD = 115_200;

interface RobotParts extends Pick<BaseParts, 'options' | 'childEnvironment' | 'publish' | 'clock' | 'log'> {
  /** The Python that opens the emulated robot's serial port. */
  readonly python: () => Promise<string>;
  /** Whether no app runs, so that the real robot may replace the simulated one. */
  readonly isSlotFree: () => boolean;
}

export function createRobot(parts: RobotParts): Robot {
  const { publish, clock, log } = parts;
  return new Robot({ backend: backendOf(parts), loop: new ControlLoop(clock, log), publish, log });
}

function backendOf({ options, python, childEnvironment, isSlotFree, clock, log }: RobotParts): RobotBackend {
  if (options.robot === 'simulation') return new SimulationBackend();
  const { assetsDir } = options.resources;
  const hardware = readHardware(join(assetsDir, 'hardware', 'lite.json'));
  const { serialPort } = options;
  const { shared, openAt, findPorts, createLite } = liteParts({ hardware, serialPort, clock, log });
  if (options.robot === 'emulator') {
    const program = join(assetsDir, 'emulator', 'pseudo_terminal.py');
    const emulator = new ServoEmulator({ hardware, program, python, childEnvironment, clock, log });
    return new EmulatorBackend(emulator, { ...shared, openLine: openAt(PSEUDO_TERMINAL_BAUD) });
  }
  if (options.robot === 'lite') return createLite();
  return new AutoBackend({
    simulation: new SimulationBackend(),
    createLite,
    isPluggedIn: async () => (await findPorts()).length > 0,
    maySwitch: isSlotFree,
    help: noRobotHelp(hardware.usb, process.platform),
    pollEveryMs: POLL_EVERY_MS,
    clock,
    log,
  });
}
