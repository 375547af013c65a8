import type { DaemonOptions } from './daemon-options.ts';
import { OwnAddress } from './http/security/own-hosts.ts';
import { EventBus, type Publish } from './shared/async/event-bus.ts';
import { type Clock, systemClock } from './shared/clock.ts';
import { type DataPaths, dataPaths } from './shared/files/data-paths.ts';
import { keyFileSecretStore } from './shared/files/key-file-secret-store.ts';
import type { SecretStore } from './shared/files/secret-store.ts';
import { createLogger, type Logger } from './shared/logger.ts';
import { ChildProcesses } from './shared/processes/child-processes.ts';

/** The parts that all other services need. */
export interface BaseParts {
  readonly options: DaemonOptions;
  readonly paths: DataPaths;
  readonly secrets: SecretStore;
  readonly address: OwnAddress;
  readonly childEnvironment: () => Record<string, string>;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createBase(options: DaemonOptions) {
  const clock = options.clock ?? systemClock;
  const log = createLogger(options.logLevel);
  const paths = dataPaths(options.dataDir);
  const children = new ChildProcesses({ paths, parentEnvironment: process.env, log });
  const bus = new EventBus();
  const base: BaseParts = {
    options,
    paths,
    secrets: options.secrets ?? keyFileSecretStore(paths.secretKeyFile, log),
    address: new OwnAddress(),
    childEnvironment: () => children.environment(),
    publish: bus.publish,
    clock,
    log,
  };
  return { base, bus, children };
}
