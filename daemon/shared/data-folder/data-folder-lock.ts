import { access, constants, mkdir } from 'node:fs/promises';
import * as z from 'zod';
import { DomainError } from '../domain-error.ts';
import type { DataPaths } from '../files/data-paths.ts';
import { type FileLock, isFileLocked, takeFileLock } from '../files/file-lock.ts';
import { readJsonFile, writeJsonFile } from '../files/json-file.ts';
import { startTimeOf } from '../processes/process-identity.ts';
import { desktopProgram } from './desktop-program.ts';

/** How long the lock is retried: a status check by another process holds it briefly. */
const RETRY_MS = 50;

/** A daemon's options by name; none of them is secret. */
const SavedOptions = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
export type SavedOptions = z.infer<typeof SavedOptions>;

/** @returns the options that can be saved: plain values, no functions or objects */
export function savedOptions(options: object): SavedOptions {
  const values = Object.entries(options).filter(([, value]) => SavedOptions.valueType.safeParse(value).success);
  return Object.fromEntries(values);
}

export const Instance = z.object({
  pid: z.int(),
  url: z.string().nullable(),
  /** See `startTimes`; null where unknown. */
  startTime: z.string().nullable().default(null),
  /** The options of the daemon; of the last daemon if another command holds the lock. */
  options: SavedOptions.nullable().default(null),
  /** The command line of the desktop program that hosts the daemon; null: no window. */
  desktop: z.tuple([z.string()], z.string()).nullable().default(null),
});
export type Instance = z.infer<typeof Instance>;

/** Another daemon uses this data folder. */
export class DataFolderInUse extends DomainError {
  readonly paths: DataPaths;
  constructor(paths: DataPaths, holder: Pick<Instance, 'pid' | 'url'> | null) {
    const who = holder ? ` (process ${holder.pid}${holder.url ? `, at ${holder.url}` : ''})` : '';
    super(
      `Another daemon is using the data folder ${paths.root}${who}. Stop it, or choose another folder with --data-dir.`,
    );
    this.paths = paths;
  }
}

/** The data folder cannot be written to. */
export class DataFolderUnusable extends DomainError {
  constructor(root: string, cause: NodeJS.ErrnoException) {
    super(
      `The data folder ${root} cannot be used (${cause.code}). Check its permissions, or choose another with --data-dir.`,
      {
        cause,
      },
    );
  }
}

/** The lock file cannot be opened or written. */
export class LockUnusable extends DomainError {
  constructor(cause: Error) {
    super(
      `The lock file of the data folder cannot be used (${cause.message}). Give it to this user; if no daemon runs, it may also be moved elsewhere.`,
      { cause },
    );
  }
}

/** The lock of a data folder, held until `release` or the end of the process. */
export interface DataFolderLock {
  /** Records the daemon's address. */
  announce(url: string): Promise<void>;
  release(): void;
}

/**
 * Ensures one daemon per data folder.
 * @param options the daemon's options, saved for a restart; null: the holder is no daemon
 * @throws DataFolderInUse, DataFolderUnusable, LockUnusable
 */
export async function lockDataFolder(paths: DataPaths, options: SavedOptions | null = null): Promise<DataFolderLock> {
  try {
    await mkdir(paths.root, { recursive: true, mode: 0o700 });
    // Not a trial write of the lock file: closing any handle of it would drop this process's own lock.
    await access(paths.root, constants.W_OK);
  } catch (error) {
    throw new DataFolderUnusable(paths.root, error as NodeJS.ErrnoException);
  }
  const lock = takeLock(paths.lockFile);
  const last = await instanceIn(paths);
  if (!lock) throw new DataFolderInUse(paths, last);
  const instance = {
    pid: process.pid,
    // On Windows this takes a second; the daemon's own answer identifies it there.
    startTime: process.platform === 'win32' ? null : await startTimeOf(process.pid),
    ...(options ? { options, desktop: desktopProgram() } : { options: last?.options, desktop: last?.desktop }),
  };
  const announce = (url: string | null) => writeJsonFile(paths.instanceFile, { ...instance, url });
  await announce(null);
  return { announce, release: () => lock.release() };
}

function takeLock(path: string): FileLock | null {
  try {
    return takeFileLock(path, RETRY_MS);
  } catch (error) {
    throw new LockUnusable(error as Error);
  }
}

/**
 * Whether a process holds the lock. A process that may hold it itself must not call this: it would lose the lock.
 * @throws LockUnusable
 */
export function isDataFolderLocked(paths: DataPaths): boolean {
  try {
    return isFileLocked(paths.lockFile);
  } catch (error) {
    throw new LockUnusable(error as Error);
  }
}

/** @returns the process that says it holds the lock, or held it last; null: unknown */
export async function instanceIn(paths: DataPaths): Promise<Instance | null> {
  return readJsonFile(paths.instanceFile, Instance).catch(() => null);
}
