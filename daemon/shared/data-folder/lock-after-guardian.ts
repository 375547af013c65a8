import { sleepOn, systemClock } from '../clock.ts';
import type { DataPaths } from '../files/data-paths.ts';
import type { Logger } from '../logger.ts';
import { DataFolderInUse, type DataFolderLock, lockDataFolder, type SavedOptions } from './data-folder-lock.ts';

/** Longer than a guardian takes at most; see guardian/guardian.ts. */
const GUARDIAN_ENDS_WITHIN_MS = 50_000;
const POLL_MS = 50;

/**
 * Locks a data folder for a daemon. The guardian of the last daemon finishes first: it ends models and folds the robot, within seconds.
 * @throws DataFolderInUse, DataFolderUnusable, LockUnusable
 */
export async function lockAfterGuardian(
  paths: DataPaths,
  options: SavedOptions,
  log: Pick<Logger, 'info'>,
): Promise<DataFolderLock> {
  const end = systemClock.elapsedMs() + GUARDIAN_ENDS_WITHIN_MS;
  for (let isTold = false; ; isTold = true) {
    try {
      return await lockDataFolder(paths, options);
    } catch (error) {
      const isPassing = error instanceof DataFolderInUse && error.holder?.isGuardian === true;
      if (!isPassing || systemClock.elapsedMs() >= end) throw error;
    }
    if (!isTold) log.info('waiting until the guardian of the last daemon has ended its models and folded the robot');
    await sleepOn(systemClock, POLL_MS);
  }
}
