import { setTimeout as sleep } from 'node:timers/promises';
import { STOP_CAP_MS } from '../lifecycle/daemon-lifecycle.ts';
import { DataFolderInUse, isDataFolderLocked, lockDataFolder } from '../shared/data-folder/data-folder-lock.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { endOrphans } from '../shared/processes/orphans.ts';
import { signalProcess } from '../shared/processes/processes.ts';
import { type Holder, isStillThere } from './holder.ts';

/** A daemon in order has ended by itself before this. */
const ENDS_WITHIN_MS = STOP_CAP_MS + 2_000;
const DIES_WITHIN_MS = 3_000;
const ORPHANS_MS = 2_000;

/** It could not be ended. */
export class DaemonEndures extends DomainError {
  constructor(pid: number) {
    super(`Process ${pid} has not ended. It may be another user's: end it as that user.`);
  }
}

/**
 * Ends the process that has a data folder, and all that it started: in order, by force when it hangs.
 * @returns whether it ended in order
 * @throws DaemonEndures
 */
export async function endDaemon(holder: Holder, paths: DataPaths): Promise<boolean> {
  const { pid } = holder.instance;
  signalProcess(pid, 'SIGTERM');
  // One that was suspended hears of it only then.
  if (process.platform !== 'win32') signalProcess(pid, 'SIGCONT');
  const inOrder = await isGoneWithin(ENDS_WITHIN_MS, holder, paths);
  if (!inOrder) {
    signalProcess(pid, 'SIGKILL');
    if (!(await isGoneWithin(DIES_WITHIN_MS, holder, paths))) throw new DaemonEndures(pid);
  }
  await sweep(paths);
  return inOrder;
}

async function sweep(paths: DataPaths): Promise<void> {
  const lock = await lockDataFolder(paths).catch((error: unknown) => {
    if (error instanceof DataFolderInUse) return null; // whoever watches over it has started the next, which sweeps
    throw error;
  });
  try {
    if (lock) await endOrphans(paths, ORPHANS_MS);
  } finally {
    lock?.release();
  }
}

async function isGoneWithin(limitMs: number, { instance }: Holder, paths: DataPaths): Promise<boolean> {
  const isThere = () => (instance.startTime === null ? isDataFolderLocked(paths) : isStillThere(instance));
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    if (!(await isThere())) return true;
    await sleep(50);
  }
  return false;
}
