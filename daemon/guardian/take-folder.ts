import { type Clock, sleepOn } from '../shared/clock.ts';
import { DataFolderInUse } from '../shared/data-folder/data-folder-lock.ts';
import type { Logger } from '../shared/logger.ts';

const POLL_MS = 50;

export interface TakeFolderDeps {
  /** @throws DataFolderInUse, DataFolderUnusable, LockUnusable */
  readonly lock: () => Promise<{ release(): void }>;
  /** The process that hosted the daemon. */
  readonly hostPid: number;
  readonly isHostGone: () => Promise<boolean>;
  /** A process that dumps its memory keeps its files open for a while, and so does a command that looks after the folder. */
  readonly withinMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Takes a data folder after its daemon. Where its disk cannot even be locked, the end of the host is enough: no other
 * daemon can have the folder.
 * @returns null when another daemon has it, or any process still has it after the limit
 */
export async function takeFolder(deps: TakeFolderDeps): Promise<{ release(): void } | null> {
  const { lock, hostPid, isHostGone, withinMs, clock, log } = deps;
  const end = clock.elapsedMs() + withinMs;
  for (;;) {
    try {
      return await lock();
    } catch (error) {
      if (error instanceof DataFolderInUse) {
        const { holder } = error;
        // A daemon has an address, or will have one. A command that ended a hanging one only sweeps its processes.
        if (holder?.url && holder.pid !== hostPid) return null;
      } else if (await isHostGone()) {
        log.warn(`guardian: the data folder cannot be locked: ${(error as Error).message}`);
        return { release: () => {} };
      }
    }
    if (clock.elapsedMs() >= end) return null;
    await sleepOn(clock, POLL_MS);
  }
}
