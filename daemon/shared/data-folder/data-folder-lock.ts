import { rm } from 'node:fs/promises';
import * as z from 'zod';
import { sleepOn, systemClock } from '../clock.ts';
import { DomainError } from '../domain-error.ts';
import type { DataPaths } from '../files/data-paths.ts';
import { readJsonFile, writeJsonFile } from '../files/json-file.ts';
import { StorageError } from '../files/storage-errors.ts';
import type { Logger } from '../logger.ts';
import { startTimeOf } from '../processes/process-identity.ts';
import { FolderLocks, isLocked, standInOf } from './folder-locks.ts';

/** @returns the command line that starts this desktop program again; null: not a desktop program */
function desktopProgram(): [string, ...string[]] | null {
  if (process.versions['electron'] === undefined) return null;
  // The mounted executable of an AppImage disappears with the process.
  const program = process.env['APPIMAGE'] || process.execPath;
  // From sources, the program is Electron's own, with our folder as its argument.
  return 'defaultApp' in process && process.argv[1] !== undefined ? [program, process.argv[1]] : [program];
}

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
  /** Whether it is the guardian of a daemon that ended unexpectedly: it releases the folder within seconds. */
  isGuardian: z.boolean().default(false),
});
export type Instance = z.infer<typeof Instance>;

type HolderOfFolder = Pick<Instance, 'pid' | 'url'> & Partial<Pick<Instance, 'isGuardian'>>;

/** Another daemon uses this data folder. */
export class DataFolderInUse extends DomainError {
  readonly paths: DataPaths;
  /** The process that says it has the folder, or had it last; null: unknown. */
  readonly holder: HolderOfFolder | null;
  constructor(paths: DataPaths, holder: HolderOfFolder | null) {
    const who = holder ? ` (process ${holder.pid}${holder.url ? `, at ${holder.url}` : ''})` : '';
    super(
      `Another daemon is using the data folder ${paths.root}${who}. Stop it, or choose another folder with --data-dir.`,
    );
    this.paths = paths;
    this.holder = holder;
  }
}

/** The lock of a data folder, held until `release` or the end of the process. */
export interface DataFolderLock {
  /**
   * Records the daemon's address.
   * @returns why the data folder can keep nothing, so that the record is elsewhere; null: it is recorded there
   */
  announce(url: string | null): Promise<StorageError | null>;
  release(): void;
}

/**
 * Ensures one daemon per data folder, also where its disk is full or can only be read.
 * @param options the daemon's options, saved for a restart; null: the holder is no daemon
 * @param isGuardian whether the holder is the guardian of a daemon
 * @throws DataFolderInUse, DataFolderUnusable, LockUnusable
 */
export async function lockDataFolder(
  paths: DataPaths,
  options: SavedOptions | null = null,
  isGuardian = false,
): Promise<DataFolderLock> {
  const standIn = await standInOf(paths.root);
  const last = await instanceIn(paths);
  const locks = new FolderLocks(paths, standIn);
  if (!(await locks.take())) throw new DataFolderInUse(paths, last);
  const instance = {
    pid: process.pid,
    isGuardian,
    // On Windows this takes a second; the daemon's own answer identifies it there.
    startTime: process.platform === 'win32' ? null : await startTimeOf(process.pid),
    ...(options ? { options, desktop: desktopProgram() } : { options: last?.options, desktop: last?.desktop }),
  };
  const announce = async (url: string | null): Promise<StorageError | null> => {
    try {
      await locks.takeInFolder();
      await writeJsonFile(paths.instanceFile, { ...instance, url });
      if (standIn) await rm(standIn.instanceFile, { force: true });
      return null;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      if (standIn) await writeJsonFile(standIn.instanceFile, { ...instance, url }).catch(() => {});
      return error;
    }
  };
  await announce(null).catch((error: unknown) => {
    locks.release();
    throw error;
  });
  return { announce, release: () => locks.release() };
}

/**
 * Whether a process holds the lock. A process that may hold it itself must not call this: it would lose the lock.
 * @throws LockUnusable
 */
export async function isDataFolderLocked(paths: DataPaths): Promise<boolean> {
  return isLocked(paths.lockFile) || isLocked((await standInOf(paths.root))?.lockFile ?? '');
}

/** @returns the process that says it holds the lock, or held it last; null: unknown */
export async function instanceIn(paths: DataPaths): Promise<Instance | null> {
  const standIn = await standInOf(paths.root);
  // It is removed once the data folder has a newer record.
  const elsewhere = standIn && (await readJsonFile(standIn.instanceFile, Instance).catch(() => null));
  return elsewhere ?? readJsonFile(paths.instanceFile, Instance).catch(() => null);
}

/** Longer than a guardian takes at most; see guardian/guardian.ts. */
const GUARDIAN_ENDS_WITHIN_MS = 50_000;
const POLL_MS = 50;

/**
 * Locks a data folder for a daemon. The guardian of the last daemon finishes first: it ends models and folds the robot, within seconds.
 * @throws DataFolderInUse, DataFolderUnusable, LockUnusable
 */
export async function lockAfterGuardian(
  paths: DataPaths,
  options: SavedOptions,
  log: Pick<Logger, 'info'>,
): Promise<DataFolderLock> {
  const end = systemClock.elapsedMs() + GUARDIAN_ENDS_WITHIN_MS;
  for (let isLogged = false; ; isLogged = true) {
    try {
      return await lockDataFolder(paths, options);
    } catch (error) {
      const isPassing = error instanceof DataFolderInUse && error.holder?.isGuardian === true;
      if (!isPassing || systemClock.elapsedMs() >= end) throw error;
    }
    if (!isLogged) log.info('waiting until the guardian of the last daemon has ended its models and folded the robot');
    await sleepOn(systemClock, POLL_MS);
  }
}
