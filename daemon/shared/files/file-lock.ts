import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** A lock that several processes respect, held until `release` or the end of the process. */
export interface FileLock {
  release(): void;
}

const LOOK_AGAIN_MS = 20;

/**
 * Takes SQLite's exclusive lock of a file, which is made where there is none. The operating system drops it when the
 * process ends, however it ends, so there is no stale lock to guess about.
 * @param waitMs how long the process stands still for it, at most
 * @returns null when another has it
 */
export function takeFileLock(path: string, waitMs = 0): FileLock | null {
  const database = new DatabaseSync(path, { timeout: waitMs });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (!/locked|busy/i.test((error as Error).message)) throw error;
    return null;
  }
}

/** Waits for the lock without standing still. @returns null when it cannot be had in time */
export async function fileLockWithin(limitMs: number, path: string): Promise<FileLock | null> {
  const end = performance.now() + limitMs;
  for (;;) {
    const lock = takeFileLock(path);
    if (lock || performance.now() >= end) return lock;
    await sleep(LOOK_AGAIN_MS);
  }
}
