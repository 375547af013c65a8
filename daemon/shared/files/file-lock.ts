import { accessSync, chmodSync, closeSync, constants, openSync, type Stats, statSync, truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sleepOn, systemClock, systemNow } from '../clock.ts';
import { setFolderAside } from './set-aside.ts';

/** A lock between processes, held until `release` or the end of the process. */
export interface FileLock {
  release(): void;
}

const POLL_MS = 20;
/** SQLite's codes: another process holds the lock. */
const BUSY = new Set([5, 6]);
/** SQLite's codes: the content of the file is no database, or a journal beside it is to be played back to it. */
const DAMAGED = new Set([8, 11, 26]);
/** SQLite may look for these beside the file. */
const COMPANIONS = ['-journal', '-wal', '-shm'];

/**
 * Takes SQLite's exclusive lock on a file, and creates the file if needed. The operating system releases the lock when
 * the process ends, however it ends, so no lock is ever stale. A file with content is emptied: it never holds any. It is
 * not replaced, since the lock belongs to the file and not to its name: two processes could then each hold one.
 * @param waitMs the longest time that the call blocks the process
 * @returns null when another process holds it
 * @throws the system's error when the file cannot be created or written
 */
export function takeFileLock(path: string, waitMs = 0): FileLock | null {
  requireWritableFile(path);
  // Nobody had the lock then, and the lock of a process that has taken it since does not depend on the content.
  if (statSync(path).size > 0 && !isFileLocked(path)) truncateSync(path);
  const database = new DatabaseSync(path, { timeout: waitMs });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (!BUSY.has(codeOf(error))) throw error;
    return null;
  }
}

/**
 * Whether a process holds the lock; changes nothing. A process that may hold it itself must not call this: it would lose
 * the lock.
 * @throws the system's error when the file cannot be read
 */
export function isFileLocked(path: string): boolean {
  if (!statsOf(path)?.isFile()) return false;
  accessSync(path, constants.R_OK);
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    database.exec('SELECT 1 FROM sqlite_schema'); // needs a shared lock, even to find that this is no database
    return false;
  } catch (error) {
    if (DAMAGED.has(codeOf(error))) return false;
    if (BUSY.has(codeOf(error))) return true;
    throw error;
  } finally {
    database.close();
  }
}

/** Waits for the lock without blocking the process. @returns null when another process holds it for the whole limit */
export async function fileLockWithin(limitMs: number, path: string): Promise<FileLock | null> {
  const end = systemClock.elapsedMs() + limitMs;
  for (;;) {
    const lock = takeFileLock(path);
    if (lock || systemClock.elapsedMs() >= end) return lock;
    await sleepOn(systemClock, POLL_MS);
  }
}

function codeOf(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff; // the rest is detail
}

/**
 * SQLite would say only that it cannot open the file, and would open one that it cannot write for reading, which locks
 * nothing. An existing file is not opened here: closing it would drop a lock of this process.
 */
function requireWritableFile(path: string): void {
  for (const each of [path, ...COMPANIONS.map((suffix) => path + suffix)]) {
    if (statsOf(each)?.isDirectory()) setFolderAside(each, systemNow());
  }
  const stats = statsOf(path);
  if (!stats) {
    create(path);
    if (!statsOf(path)) {
      throw Object.assign(new Error(`${path} is a link to a file that does not exist`), { code: 'ENOENT', path });
    }
    return;
  }
  if (!stats.isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: 'EEXIST', path });
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES' || stats.uid !== process.getuid?.()) throw error;
    chmodSync(path, 0o600);
  }
}

/** @returns undefined for a missing file, and for a link that leads to none */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return undefined;
    throw error;
  }
}

function create(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
