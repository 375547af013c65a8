import { askDaemon } from '../client/node/ask-daemon.ts';
import type { DaemonStatus } from '../contract/daemon.ts';
import { type Instance, instanceIn, isDataFolderLocked } from '../shared/data-folder/data-folder-lock.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { startTimeOf } from '../shared/processes/process-identity.ts';

/** Somebody has the data folder, and it cannot be told who. */
export class HolderUnknown extends DomainError {
  constructor(paths: DataPaths, instance: Instance | null) {
    const hint = instance ? ` Process ${instance.pid} was the last to say so.` : '';
    super(`A process has the data folder ${paths.root}, and cannot be told from others.${hint} End it yourself.`);
  }
}

/** The process that has a data folder. */
export interface Holder {
  readonly instance: Instance;
  /** null: it does not answer, because it is still starting, or hangs, or is no daemon. */
  readonly status: DaemonStatus | null;
}

/**
 * Finds who has a data folder, proven by its own answer or by when it started.
 * @returns null when nobody has it
 * @throws HolderUnknown
 */
export async function holderOf(paths: DataPaths): Promise<Holder | null> {
  const instance = await instanceIn(paths);
  const status = instance?.url ? await askDaemon(instance.url) : null;
  if (instance && status?.pid === instance.pid) return { instance, status };
  if (!isDataFolderLocked(paths)) return null;
  if (instance && (await isStillThere(instance))) return { instance, status: null };
  throw new HolderUnknown(paths, instance);
}

/** Whether that process lives, and not another one with its number. */
export async function isStillThere({ pid, startTime }: Instance): Promise<boolean> {
  return startTime !== null && (await startTimeOf(pid)) === startTime;
}
