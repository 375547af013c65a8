import { lstat, readdir } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import type { AppContents, SavedFile } from '../../contract/apps/reset.ts';
import { savedFiles } from '../installed/saved-files.ts';
import { installedRecords, packagesDirOf } from '../python/python-env.ts';
import { CodeUnknown, SavedUnreadable, TooManyBesideCode } from './errors.ts';

/** The number of files that are listed by name. */
const LISTED = 20;
/** The most files beside the code: a record names each, and is read as a whole. */
const MOST_BESIDE_CODE = 100_000;
/** The most files that are counted: there may be millions, and somebody waits for the list. */
const MOST_COUNTED = 100_000;

export interface FoundContents extends AppContents {
  /** The files beside the code, with slashes from the folder of packages. */
  readonly besideCode: string[];
}

export const isEmpty = ({ files, variables }: AppContents): boolean => files === 0 && variables.length === 0;

interface SoughtContents {
  /** The working folder of the app, which need not exist; null: it does not count. */
  readonly workDir: string | null;
  /** Its live environment. */
  readonly envDir: string;
  /** The names of its variables. */
  readonly variables: string[];
  /** The only files beside the code that count; default: all. */
  readonly besideCode?: ReadonlySet<string> | undefined;
}

interface Limits {
  /** The most files beside the code. */
  readonly besideCode?: number;
  /** The most files that are counted. */
  readonly counted?: number;
  /** Ends the count, with what was found so far: nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds all that an app has saved, and counts it up to a limit.
 * @throws SavedUnreadable when a folder cannot be read, CodeUnknown, TooManyBesideCode
 */
export async function findContents(sought: SoughtContents, limits: Limits = {}): Promise<FoundContents> {
  const { besideCode: mostBesideCode = MOST_BESIDE_CODE, counted = MOST_COUNTED, signal } = limits;
  const tally = new Tally(counted, signal);
  const besideCode = await filesBesideCode(sought, mostBesideCode);
  for (const file of besideCode) tally.add({ ...file, besideCode: true });
  if (sought.workDir !== null) await addFilesAt(sought.workDir, tally);
  const { files, bytes, more, largest } = tally;
  const paths = besideCode.map(({ path }) => path);
  return { files, bytes, ...(more && { more }), largest, variables: sought.variables, besideCode: paths };
}

async function filesBesideCode({ envDir, besideCode: only }: SoughtContents, most: number) {
  if (only?.size === 0) return [];
  const packagesDir = (await packagesDirOf(envDir)) ?? envDir;
  const unread: SavedUnreadable[] = [];
  const found = await savedFiles(envDir, (path, code) => {
    unread.push(new SavedUnreadable(join(packagesDir, path), code));
  });
  if (unread[0]) throw unread[0];
  const files = only ? found.filter(({ path }) => only.has(path)) : found;
  if (files.length > most) throw new TooManyBesideCode(most);
  const unlisted = files.length > 0 && (await installedRecords(packagesDir)).find(({ record }) => record === '');
  if (unlisted) throw new CodeUnknown(join(packagesDir, unlisted.folder, 'RECORD'));
  return files;
}

/** Counts files, and keeps the largest. */
class Tally {
  files = 0;
  bytes = 0;
  /** Whether there is a file that is not counted. */
  more = false;
  readonly #most: number;
  readonly #signal: AbortSignal | undefined;
  #kept: SavedFile[] = [];

  constructor(most: number, signal: AbortSignal | undefined) {
    this.#most = most;
    this.#signal = signal;
  }

  /** Whether no further file is counted. */
  get isOver(): boolean {
    return this.more || this.#signal?.aborted === true;
  }

  add(file: SavedFile): void {
    if (this.files >= this.#most) {
      this.more = true;
      return;
    }
    this.files += 1;
    this.bytes += file.bytes;
    this.#kept.push(file);
    if (this.#kept.length >= 10 * LISTED) this.#kept = this.largest;
  }

  get largest(): SavedFile[] {
    return this.#kept.toSorted((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1)).slice(0, LISTED);
  }
}

/** Adds the files of the working folder. A link in its place counts as a file: it is moved, not what it leads to. */
async function addFilesAt(workDir: string, tally: Tally): Promise<void> {
  const status = await unlessGone(workDir, lstat(workDir));
  if (status?.isDirectory()) await addFilesIn(Buffer.from(workDir), '', tally);
  else if (status) tally.add({ path: basename(workDir), bytes: status.isFile() ? status.size : 0, besideCode: false });
}

/**
 * Adds the files of a folder, until the tally is over; links count as files and are not followed.
 * @param folder its path in bytes: a name need not be UTF-8
 * @param path the same from the working folder, empty or with a slash at its end
 */
async function addFilesIn(folder: Buffer, path: string, tally: Tally): Promise<void> {
  const entries = await unlessGone(folder, readdir(folder, { withFileTypes: true, encoding: 'buffer' }));
  for (const entry of entries ?? []) {
    if (tally.isOver) return;
    const name = Buffer.concat([folder, Buffer.from(sep), entry.name]);
    const shown = path + entry.name.toString();
    if (entry.isDirectory()) await addFilesIn(name, `${shown}/`, tally);
    else if (!entry.isFile()) tally.add({ path: shown, bytes: 0, besideCode: false });
    else {
      const status = await unlessGone(name, lstat(name));
      if (status) tally.add({ path: shown, bytes: status.size, besideCode: false });
    }
  }
}

/** @returns null when the file or folder does not exist, or no longer @throws SavedUnreadable */
async function unlessGone<T>(path: string | Buffer, reading: Promise<T>): Promise<T | null> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new SavedUnreadable(path.toString(), error.code);
  });
}
