import { existsSync } from 'node:fs';
import { access, constants, mkdir } from 'node:fs/promises';
import * as z from 'zod';
import { DomainError } from '../domain-error.ts';
import type { DataPaths } from '../files/data-paths.ts';
import { takeFileLock } from '../files/file-lock.ts';
import { readJsonFile, writeJsonFile } from '../files/json-file.ts';
import { startTimeOf } from '../processes/process-identity.ts';
import { desktopProgram } from './desktop-program.ts';

/** For so long, at most, it seems taken to others while somebody only looks whether it is. */
const LOOKED_AT_MS = 50;

/** What a daemon was asked to be, by the names of its options; nothing secret is among them. */
const AskedOptions = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
export type AskedOptions = z.infer<typeof AskedOptions>;

/** What of a daemon's options can be written down: values, not what does things. */
export function askedOptions(options: object): AskedOptions {
  const values = Object.entries(options).filter(([, value]) => AskedOptions.valueType.safeParse(value).success);
  return Object.fromEntries(values);
}

export const Instance = z.object({
  pid: z.int(),
  url: z.string().nullable(),
  /** See `startTimes`; null where it is not known. */
  startTime: z.string().nullable().default(null),
  /** The options of the daemon, or of the one before where the holder is none. */
  options: AskedOptions.nullable().default(null),
  /** The command that opens the desktop program whose window the daemon lives in; null: it has no window. */
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

/** The right to use a data folder, held until `release` or the end of the process. */
export interface DataFolderLock {
  /** Leaves word of where this daemon can be reached. */
  announce(url: string): Promise<void>;
  release(): void;
}

/**
 * Makes one daemon per data folder.
 * @param options what the daemon was asked to be, for who restarts it; null: the holder is no daemon
 * @throws DataFolderInUse, DataFolderUnusable
 */
export async function lockDataFolder(paths: DataPaths, options: AskedOptions | null = null): Promise<DataFolderLock> {
  try {
    await mkdir(paths.root, { recursive: true, mode: 0o700 });
    // Not a trial write of the lock file: closing any handle of it would drop this process's own lock.
    await access(paths.root, constants.W_OK);
  } catch (error) {
    throw new DataFolderUnusable(paths.root, error as NodeJS.ErrnoException);
  }
  const lock = takeFileLock(paths.lockFile, LOOKED_AT_MS);
  const before = await instanceIn(paths);
  if (!lock) throw new DataFolderInUse(paths, before);
  const word = {
    pid: process.pid,
    // Windows takes a second to say: there the daemon's own answer has to do.
    startTime: process.platform === 'win32' ? null : await startTimeOf(process.pid),
    ...(options ? { options, desktop: desktopProgram() } : { options: before?.options, desktop: before?.desktop }),
  };
  const announce = (url: string | null) => writeJsonFile(paths.instanceFile, { ...word, url });
  await announce(null);
  return { announce, release: () => lock.release() };
}

/**
 * Whether a process holds the lock, without keeping it. Not for a process that may hold it itself: it would lose it.
 */
export function isDataFolderLocked(paths: DataPaths): boolean {
  if (!existsSync(paths.lockFile)) return false;
  const lock = takeFileLock(paths.lockFile);
  lock?.release();
  return lock === null;
}

/** Who holds the lock of a data folder, or held it last, by its own word. */
export async function instanceIn(paths: DataPaths): Promise<Instance | null> {
  return readJsonFile(paths.instanceFile, Instance).catch(() => null);
}
