import { lstatSync } from 'node:fs';
import { access, constants, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DomainError } from '../domain-error.ts';
import type { DataPaths } from '../files/data-paths.ts';
import { type FileLock, isFileLocked, takeFileLock } from '../files/file-lock.ts';
import { createFolder } from '../files/make-folder.ts';
import { StorageError, storageError } from '../files/storage-errors.ts';
import { childMark } from '../processes/child-environment.ts';

/** Takes the place of the lock and of the instance file of a data folder whose disk takes nothing. */
export interface StandIn {
  readonly lockFile: string;
  readonly instanceFile: string;
}

/** On Linux, a disk in memory that every user may write to. */
const MEMORY = '/dev/shm';

/**
 * The stand-in of a data folder, in a folder that only this user can enter. The temporary folder may be on the same full
 * disk, so that memory is tried first. All processes of this user on this machine find the same one.
 * @returns null when there is none
 */
export async function standInOf(root: string): Promise<StandIn | null> {
  const mark = await childMark(root);
  for (const place of process.platform === 'linux' ? [MEMORY, tmpdir()] : [tmpdir()]) {
    const folder = join(place, `robot-daemon-${process.getuid?.() ?? 0}`);
    if (await isPrivateFolder(folder)) {
      return { lockFile: join(folder, `${mark}.lock`), instanceFile: join(folder, `${mark}.json`) };
    }
  }
  return null;
}

async function isPrivateFolder(folder: string): Promise<boolean> {
  await mkdir(folder, { mode: 0o700 }).catch(() => {});
  const stats = await lstat(folder).catch(() => null);
  if (!stats?.isDirectory()) return false;
  // Windows has a temporary folder for each user.
  return process.platform === 'win32' || (stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0);
}

/** How long the lock is retried: a status check by another process holds it briefly. */
const RETRY_MS = 50;

/** The data folder cannot be written to. */
export class DataFolderUnusable extends DomainError {
  constructor(root: string, cause: Error) {
    const code = (cause as NodeJS.ErrnoException).code ?? cause.message;
    const how = !['EEXIST', 'ENOTDIR'].includes(code)
      ? 'Check its permissions'
      : isLink(root)
        ? 'It is a link, but not to a folder: connect its disk'
        : 'It is not a folder: move it elsewhere';
    super(`The data folder ${root} cannot be used (${code}). ${how}, or choose another with --data-dir.`, { cause });
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false; // nothing is there, or a folder above it is a file
  }
}

/** The lock file cannot be opened or written. */
class LockUnusable extends DomainError {
  constructor(cause: Error) {
    super(
      `The lock file of the data folder cannot be used (${cause.message}). Give it to this user; if no daemon runs, it may also be moved elsewhere.`,
      { cause },
    );
  }
}

/**
 * The locks of a data folder: the one in it, or, where its disk takes nothing, the one of its stand-in. A process takes
 * one and then looks at the other, so that of two processes with different ones at least one gives way.
 */
export class FolderLocks {
  readonly #paths: DataPaths;
  readonly #standIn: StandIn | null;
  #inFolder: FileLock | null = null;
  #outside: FileLock | null = null;

  constructor(paths: DataPaths, standIn: StandIn | null) {
    this.#paths = paths;
    this.#standIn = standIn;
  }

  /** @returns false when another process holds one. @throws DataFolderUnusable, LockUnusable */
  async take(): Promise<boolean> {
    let isTaken = false;
    try {
      isTaken = await this.#takeOne();
      return isTaken;
    } finally {
      if (!isTaken) this.release();
    }
  }

  async #takeOne(): Promise<boolean> {
    const { lockFile } = this.#paths;
    try {
      await this.takeInFolder();
      const isElsewhere = this.#standIn !== null && isLocked(this.#standIn.lockFile);
      return this.#inFolder !== null && !isElsewhere;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      if (!this.#standIn) throw new DataFolderUnusable(this.#paths.root, error.cause as Error);
      this.#outside = lockOf(this.#standIn.lockFile);
      return this.#outside !== null && !isLocked(lockFile);
    }
  }

  /**
   * Takes the lock in the data folder, unless it has it or another process holds it.
   * @throws StorageError when the disk takes nothing, DataFolderUnusable, LockUnusable
   */
  async takeInFolder(): Promise<void> {
    const { root, lockFile } = this.#paths;
    try {
      await createFolder(root);
      // Not a trial write of the lock file: closing any handle of it would drop this process's own lock.
      await access(root, constants.W_OK);
    } catch (error) {
      throw fullOrReadOnly(error, root) ?? new DataFolderUnusable(root, error as Error);
    }
    this.#inFolder ??= lockOf(lockFile, root);
  }

  release(): void {
    this.#inFolder?.release();
    this.#outside?.release();
    this.#inFolder = null;
    this.#outside = null;
  }
}

/** Whether a process holds the lock of a file, which need not exist. @throws LockUnusable */
export function isLocked(path: string): boolean {
  try {
    return isFileLocked(path);
  } catch (error) {
    throw new LockUnusable(error as Error);
  }
}

/** @param root the data folder that it is in; absent: another folder */
function lockOf(path: string, root?: string): FileLock | null {
  try {
    return takeFileLock(path, RETRY_MS);
  } catch (error) {
    throw (root !== undefined && fullOrReadOnly(error, root)) || new LockUnusable(error as Error);
  }
}

/** The error of a disk that takes nothing. A right that this user lacks is another matter: others may use the folder. */
function fullOrReadOnly(error: unknown, root: string): StorageError | null {
  const { code } = error as NodeJS.ErrnoException;
  const translated = code === 'EACCES' || code === 'EPERM' ? null : storageError(error, root);
  return translated instanceof StorageError ? translated : null;
}
