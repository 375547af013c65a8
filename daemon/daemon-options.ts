import type { Server } from 'node:http';
import type { RequestHandler } from 'express';
import type { InstallerChoice } from './apps/python/python-tools.ts';
import type { SecretStore } from './shared/files/secret-store.ts';
import type { LogLevel } from './shared/logger.ts';

/** What drives the joints; `auto`: the real robot if it is plugged in, else the simulated one until it is. */
export type RobotChoice = 'auto' | 'lite' | 'simulation' | 'emulator';

/** Where the parts of the product lie that are not code: source tree and package differ. */
export interface DaemonResources {
  readonly assetsDir: string;
  /** The built dashboard. */
  readonly dashboardDir: string;
}

export interface DaemonOptions {
  readonly version: string;
  readonly resources: DaemonResources;
  readonly dataDir: string;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** The Python that apps run on; null: the first good one on PATH. */
  readonly python: string | null;
  readonly installer: InstallerChoice;
  /** How long the build of an app's environment may take, downloads included. */
  readonly installWithinMs: number;
  /** The hub that apps come from; null: the one that its library knows. */
  readonly hubUrl: string | null;
  /** The catalog of models, instead of the shipped one: a file of the same form. */
  readonly catalogFile: string | null;
  readonly logLevel: LogLevel;
  readonly robot: RobotChoice;
  /** The serial port of the robot's servos; null: found by its USB id. */
  readonly serialPort: string | null;
  /** The app that starts by itself in this run; null: the one that was chosen earlier, if any. */
  readonly startupApp: string | null;
  /** Whether the robot wakes when the daemon starts. */
  readonly wakeUpOnStart: boolean;
  /** What encrypts what must not lie readable on the disk; else a key in a file does. */
  readonly secrets?: SecretStore;
  /** Makes what serves the page instead of the built one, on the daemon's own server; for development. */
  readonly dashboard?: (server: Server) => Promise<RequestHandler>;
}
