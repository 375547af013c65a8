import type { DaemonOptions } from './daemon-options.ts';
import { OwnAddress } from './http/security/own-hosts.ts';
import { EventBus } from './shared/async/event-bus.ts';
import { systemClock } from './shared/clock.ts';
import { dataPaths } from './shared/files/data-paths.ts';
import { keyFileSecretStore } from './shared/files/key-file-secret-store.ts';
import { createLogger, toStderr } from './shared/logger.ts';
import { ChildProcesses } from './shared/processes/child-processes.ts';
import { RecentEntries } from './shared/recent-entries.ts';

/** The part of the log that is kept in memory, for a report of a problem. */
const KEPT_LOG = { entries: 1_000, characters: 256 * 1024 };

export type BaseParts = Readonly<ReturnType<typeof createBase>['base']>;

export function createBase(options: DaemonOptions) {
  const clock = options.clock ?? systemClock;
  const recentLog = new RecentEntries(KEPT_LOG);
  const log = createLogger(options.logLevel, (entry) => {
    toStderr(entry);
    recentLog.add(entry);
  });
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
    recentLog,
  };
  return { base, bus, children };
}
