import { type Clock, type Now, sleepOn } from '../shared/clock.ts';
import { DataFolderInUse } from '../shared/data-folder/data-folder-lock.ts';
import type { Logger } from '../shared/logger.ts';
import type { RescuedRobot, UnexpectedEnd } from './unexpected-end.ts';

const POLL_MS = 50;

interface TakeFolderDeps {
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

export interface RescueDeps {
  /** Takes the data folder. @returns null when another process has it, whose business the rest is */
  readonly takeFolder: () => Promise<{ release(): void } | null>;
  /** @returns the app that was running when the daemon ended; null: none */
  readonly runningApp: () => Promise<string | null>;
  /** Ends what the daemon had started. @returns whether nothing of it is left */
  readonly endProcesses: () => Promise<boolean>;
  /** Removes the containers that it had started. @returns whether none is left */
  readonly endContainers: () => Promise<boolean>;
  readonly foldRobot: () => Promise<RescuedRobot>;
  /** Ends what a crash left of the window. @returns whether nothing of it is left */
  readonly endWindow: () => Promise<boolean>;
  readonly record: (end: UnexpectedEnd) => Promise<void>;
  readonly now: Now;
  readonly log: Logger;
}

/**
 * Does what a daemon could not before it ended: ends its processes and containers, folds its robot, and records that for
 * the next one.
 */
export async function rescue(deps: RescueDeps): Promise<void> {
  const { takeFolder, runningApp, endProcesses, endContainers, foldRobot, endWindow, record, now, log } = deps;
  const at = now().toISOString();
  const folder = await takeFolder();
  if (!folder) return log.info('guardian: another process has the data folder, and takes care of the robot');
  try {
    const appName = await runningApp();
    // Their engine may take seconds: the robot does not wait for it.
    const containers = ended(endContainers, log);
    // Before the robot folds: an app that still runs could have its own line to the robot.
    const childrenGone = await ended(endProcesses, log);
    const robot = await foldRobot().catch((error: Error): RescuedRobot => {
      log.error('guardian: the robot could not be folded', error);
      return { state: 'not-folded', reason: error.message, action: null };
    });
    const [windowGone, containersGone] = await Promise.all([ended(endWindow, log), containers]);
    const processesGone = childrenGone && windowGone && containersGone;
    log.info(`guardian: ${appName ? `the app ${appName} was ended, ` : ''}the robot is ${robot.state}`);
    await record({ at, appName, processesGone, robot }).catch((error: unknown) =>
      log.error('guardian: what happened could not be recorded', error),
    );
  } finally {
    folder.release();
  }
}

/** Never rejects. */
function ended(end: () => Promise<boolean>, log: Logger): Promise<boolean> {
  return end().catch((error: unknown) => {
    log.error('guardian: something that the daemon had started could not be ended', error);
    return false;
  });
}
