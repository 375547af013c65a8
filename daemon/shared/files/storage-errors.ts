import { dirname, isAbsolute, relative } from 'node:path';
import type { StorageCode } from '../../contract/common/common.ts';
import { DomainError } from '../domain-error.ts';

/** Something cannot be saved. `message` says why and `action` what to do, both for people. */
export abstract class StorageError extends DomainError {
  /** A stable code for programs. */
  abstract readonly code: StorageCode;
  readonly folder: string;
  readonly action: string;

  constructor(folder: string, message: string, action: string, cause?: unknown) {
    super(message, { cause });
    this.folder = folder;
    this.action = action;
  }
}

/** A disk, or the user's quota on it, has no room for what is to be saved. */
export class DiskFull extends StorageError {
  readonly code = 'disk-full';

  /** @param message a sentence that names the folder, where there is more to say than that its disk is full */
  constructor(folder: string, { message, cause }: { readonly message?: string; readonly cause?: unknown } = {}) {
    const action = 'Free some space on it (remove apps or model files that you no longer need), then try again.';
    super(folder, message ?? `The disk of ${folder} is full.`, action, cause);
  }
}

/** The daemon's user has no right to a folder, or its disk can only be read. */
export class DataFolderReadOnly extends StorageError {
  readonly code = 'data-folder-read-only';

  constructor(folder: string, { isDisk, cause }: { readonly isDisk: boolean; readonly cause?: unknown }) {
    const [message, action] = isDisk
      ? [`The disk of ${folder} can only be read.`, 'Make it writable, then try again.']
      : [
          `The daemon has no right to the files in ${folder}.`,
          'Give its user the right to read and write there, then try again.',
        ];
    super(folder, message, action, cause);
  }
}

/** The codes of a full disk, an exceeded quota, and a limit on the size of files. */
const fullCodes: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const forbiddenCodes: ReadonlySet<string | undefined> = new Set(['EROFS', 'EACCES', 'EPERM']);
/** SQLite's codes, which node:sqlite reports as `errcode`; the low byte is the kind. */
const SQLITE_FULL = 13;
const SQLITE_READONLY = 8;

/** The StorageError for an error of a write into a folder; other errors are returned unchanged. */
export function storageError(error: unknown, folder: string): unknown {
  if (isFull(error)) return new DiskFull(folder, { cause: error });
  if (isForbidden(error)) return new DataFolderReadOnly(folder, { isDisk: codeOf(error) === 'EROFS', cause: error });
  return error;
}

/** Awaits a write into a folder. @throws StorageError when the folder or its disk is the reason of a failure */
export async function savingIn<T>(folder: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw storageError(error, folder);
  }
}

/**
 * The StorageError behind an error that nothing nearer to its place has translated, for the last handlers of errors.
 * @returns null when it has another reason, such as a file outside the data folder that may not be read
 */
export function storageErrorBehind(error: unknown, dataDir: string): StorageError | null {
  // A cause may, by mistake, be its own cause.
  for (let cause = error, depth = 0; cause instanceof Error && depth < 10; cause = cause.cause, depth += 1) {
    if (cause instanceof StorageError) return cause;
    const { path, dest, syscall } = cause as NodeJS.ErrnoException & { readonly dest?: string };
    if (otherCalls.test(syscall ?? '')) continue;
    const place = [dest, path].find((each) => each !== undefined && isInside(each, dataDir));
    // The right may be missing elsewhere: at a file of the user's that is copied, or at any place without a path.
    const isHere = place !== undefined && (codeOf(cause) === 'EROFS' || isInside(path ?? place, dataDir));
    if (isForbidden(cause) && !isHere) continue;
    const translated = storageError(cause, place ? folderOf(place, dataDir) : path ? dirname(path) : dataDir);
    if (translated instanceof StorageError) return translated;
  }
  return null;
}

/** Calls whose codes have another meaning: no right to run a program, too many watched files. */
const otherCalls = /^(?:spawn|watch|connect|listen|bind|kill)/;

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code;
const sqliteKind = (error: unknown) => ((error as { readonly errcode?: number } | null)?.errcode ?? 0) & 0xff;
const isFull = (error: unknown) => fullCodes.has(codeOf(error)) || sqliteKind(error) === SQLITE_FULL;
const isForbidden = (error: unknown) => forbiddenCodes.has(codeOf(error)) || sqliteKind(error) === SQLITE_READONLY;

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !/^\.\.[/\\]/.test(way);
}

/** The folder that a path is in; not one above the data folder. */
const folderOf = (path: string, dataDir: string) => (relative(dataDir, path) === '' ? dataDir : dirname(path));

/**
 * Sentences and codes of C libraries, Python (Errno) and Rust (os error). On a full disk, older Pythons keep the part of their
 * byte code that they could write, and later cannot read it: python/cpython#126606.
 */
const full =
  /EOFError: marshal data too short|No space left on device|not enough space on the disk|Disk quota exceeded|File too large|\bENOSPC\b|(?:Errno|os error) (?:27|28|122)\b/i;
const readOnly = /Read-only file system|\bEROFS\b|(?:Errno|os error) 30\b/i;
const forbidden = /Permission denied|Operation not permitted|\bE(?:ACCES|PERM)\b|(?:Errno|os error) (?:1|13)\b/i;

/**
 * The StorageError that a failed program's output shows; null: none.
 * @param lines in English
 * @param dataDir the data folder; a right that is missing elsewhere is not ours to grant
 */
export function storageErrorIn(lines: readonly string[], dataDir: string): StorageError | null {
  if (lines.some((line) => full.test(line))) return new DiskFull(dataDir);
  const isOurs = (line: string) => line.includes(dataDir);
  const isDisk = lines.some((line) => readOnly.test(line) && isOurs(line));
  const isRefused = isDisk || lines.some((line) => forbidden.test(line) && isOurs(line));
  return isRefused ? new DataFolderReadOnly(dataDir, { isDisk }) : null;
}

export function storageSigns(lines: readonly string[], dataDir: string): string[] {
  return lines.filter((line) => storageErrorIn([line], dataDir) !== null);
}
