import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** A lock between processes, held until `release` or the end of the process. */
export interface FileLock {
  release(): void;
}

const POLL_MS = 20;

/**
 * Takes SQLite's exclusive lock on a file, and creates the file if needed. The operating system releases the lock when
 * the process ends, however it ends, so no lock is ever stale.
 * @param waitMs the longest time that the call blocks the process
 * @returns null when another process holds it
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

/** Waits for the lock without blocking the process. @returns null when another process holds it for the whole limit */
export async function fileLockWithin(limitMs: number, path: string): Promise<FileLock | null> {
  const end = performance.now() + limitMs;
  for (;;) {
    const lock = takeFileLock(path);
    if (lock || performance.now() >= end) return lock;
    await sleep(POLL_MS);
  }
}
