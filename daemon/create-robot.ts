import type { DaemonOptions } from './daemon-options.ts';
import { ControlLoop } from './robot/control-loop.ts';
import { Robot } from './robot/robot.ts';
import type { RobotBackend } from './robot/robot-backend.ts';
import { SimulationBackend } from './robot/simulation/simulation-backend.ts';
import type { Publish } from './shared/event-bus.ts';
import type { Logger } from './shared/logger.ts';

export interface RobotParts {
  readonly options: Pick<DaemonOptions, 'robot' | 'serialPort' | 'resources'>;
  /** The Python that the emulated robot's serial port needs. */
  readonly python: () => Promise<string>;
  readonly childEnvironment: () => Record<string, string>;
  /** Whether nobody would be disturbed when a simulated robot gives way to the real one. */
  readonly isSlotFree: () => boolean;
  readonly publish: Publish;
  readonly log: Logger;
}

/** Composes the robot on what is to drive its joints. */
export function createRobot(parts: RobotParts): Robot {
  const { publish, log } = parts;
  return new Robot({ backend: backendOf(parts), loop: new ControlLoop(log), publish, log });
}

function backendOf(_parts: RobotParts): RobotBackend {
  return new SimulationBackend();
}
