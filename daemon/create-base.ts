import type { DaemonOptions } from './daemon-options.ts';
import { OwnAddress } from './http/security/own-hosts.ts';
import { EventBus } from './shared/async/event-bus.ts';
import { systemClock } from './shared/clock.ts';
import { dataPaths } from './shared/files/data-paths.ts';
import { keyFileSecretStore } from './shared/files/key-file-secret-store.ts';
import { createLogger } from './shared/logger.ts';
import { ChildProcesses } from './shared/processes/child-processes.ts';

export type BaseParts = Readonly<ReturnType<typeof createBase>['base']>;

export function createBase(options: DaemonOptions) {
  const clock = options.clock ?? systemClock;
  const log = createLogger(options.logLevel);
  const paths = dataPaths(options.dataDir);
  const children = new ChildProcesses({ paths, parentEnvironment: process.env, log });
  const bus = new EventBus();
  const base = {
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
