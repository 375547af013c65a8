import { access, constants, mkdir } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { DataPaths } from './data-paths.ts';
import { DomainError } from './domain-error.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

const Instance = z.object({ pid: z.int(), url: z.string().nullable() });
export type Instance = z.infer<typeof Instance>;

/** Another daemon uses this data folder. */
export class DataFolderInUse extends DomainError {
  readonly paths: DataPaths;
  constructor(paths: DataPaths, holder: Instance | null) {
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

/** The right to use a data folder, held until `release` or the end of the process. */
export interface DataFolderLock {
  /** Leaves word of where this daemon can be reached. */
  announce(url: string): Promise<void>;
  release(): void;
}

/**
 * Makes one daemon per data folder. The lock is SQLite's exclusive file lock: the operating system drops it when the
 * process ends, however it ends, so there is no stale lock to guess about.
 * @throws DataFolderInUse, DataFolderUnusable
 */
export async function lockDataFolder(paths: DataPaths): Promise<DataFolderLock> {
  try {
    await mkdir(paths.root, { recursive: true, mode: 0o700 });
    // Not a trial write of the lock file: closing any handle of it would drop this process's own lock.
    await access(paths.root, constants.W_OK);
  } catch (error) {
    throw new DataFolderUnusable(paths.root, error as NodeJS.ErrnoException);
  }
  const database = new DatabaseSync(paths.lockFile, { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!/locked|busy/i.test((error as Error).message)) throw error;
    throw new DataFolderInUse(paths, await instanceIn(paths));
  }
  const announce = (url: string | null) => writeJsonFile(paths.instanceFile, { pid: process.pid, url });
  await announce(null);
  return { announce, release: () => database.close() };
}

/** Who holds the lock of a data folder, by its own word. */
export async function instanceIn(paths: DataPaths): Promise<Instance | null> {
  return readJsonFile(paths.instanceFile, Instance).catch(() => null);
}
