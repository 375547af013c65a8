import type { Server } from 'node:http';
import type { RequestHandler } from 'express';
import type { InstallerChoice } from './apps/python/python-tools.ts';
import type { TerminalCall } from './contract/daemon.ts';
import type { Notifier } from './notifications/notifications.ts';
import type { Clock } from './shared/clock.ts';
import type { DesktopHost } from './shared/desktop-host.ts';
import type { SecretStore } from './shared/files/secret-store.ts';
import type { LogLevel } from './shared/logger.ts';
import type { ForkNode } from './shared/processes/fork-node.ts';

/** The robot backend; `auto`: the real robot if it is connected, else the simulated one until it is. */
export type RobotChoice = 'auto' | 'lite' | 'simulation' | 'emulator';

/** The folders of the product's other files, which differ between source tree and package. */
export interface DaemonResources {
  readonly assetsDir: string;
  readonly dashboardDir: string;
  /** The program that serves models where there is no llama-server; see llama-runner/runner-options.ts. */
  readonly llamaRunner: string;
  /** The program of the worker thread that reads headers of model files. */
  readonly ggufReader: string;
}

export interface DaemonOptions {
  readonly version: string;
  readonly resources: DaemonResources;
  readonly dataDir: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Whether every request needs a token, from this machine too. */
  readonly requireToken: boolean;
  /** The IP address of a proxy in front: its requests come from elsewhere, from where it says. null: none. */
  readonly behindProxy: string | null;
  /** The preferred Python; null: the first suitable one on PATH. */
  readonly python: string | null;
  readonly installer: InstallerChoice;
  /** The time limit for the build of an app's environment, with downloads. */
  readonly installWithinMs: number;
  /** The hub that apps come from; null: the default of its library. */
  readonly hubUrl: string | null;
  /** A catalog file to use instead of the shipped one; null: the shipped one. */
  readonly catalogFile: string | null;
  /** The llama-server for endpoints, or `none`; null: the one on PATH, or a downloaded one. */
  readonly llamaServer: string | null;
  /** The address of an archive with llama-server to install on request; null: its own project's pinned release. */
  readonly llamaServerUrl: string | null;
  /** The SHA-256 of that archive; null: it must be the pinned one. */
  readonly llamaServerSha256: string | null;
  /** The address of the container engine for endpoints, or `none`; null: the first that answers on this machine. */
  readonly containerEngine: string | null;
  readonly logLevel: LogLevel;
  readonly robot: RobotChoice;
  /** The serial port of the robot's servos; null: found by its USB id. */
  readonly serialPort: string | null;
  /** The startup app for this run; null: the saved choice, if any. */
  readonly startupApp: string | null;
  /** Whether the robot wakes when the daemon starts. */
  readonly wakeUpOnStart: boolean;
  /** How a terminal calls `robot-daemon` for it; default: that is not known. */
  readonly terminal?: TerminalCall;
  /**
   * The daemon's clock; default: the system's. Waits for other processes' locks, and limits of commands, always use the
   * system's.
   */
  readonly clock?: Clock;
  /** Encrypts secrets for storage on disk; default: a key in a file. */
  readonly secrets?: SecretStore;
  /** Shows notifications of the system; default: those of the dashboard are all. */
  readonly notifier?: Notifier;
  /** Shows a file or a folder in a window of this machine; default: no window can be shown. */
  readonly opener?: (path: string) => Promise<void>;
  /** Ends this program in order, and starts it again; default: nothing does. */
  readonly restart?: () => void;
  /** The desktop program around the daemon; default: it has no window. */
  readonly desktop?: DesktopHost;
  /** Starts Node programs as children; default: with the Node that runs this process. */
  readonly forkNode?: ForkNode;
  /**
   * Sees to it that something ends the models of this daemon if it is killed. Awaited before each one that would go on,
   * never rejects. Default: the next daemon ends them.
   */
  readonly guard?: () => Promise<void>;
  /** Creates the handler that serves the page instead of the built one; for development. */
  readonly dashboard?: (server: Server) => Promise<RequestHandler>;
}
