import { DataFolderReadOnly, DiskFull, type StorageError } from './storage-errors.ts';

/** Sentences and codes of C libraries, Python (Errno) and Rust (os error). */
const full =
  /No space left on device|not enough space on the disk|Disk quota exceeded|File too large|\bENOSPC\b|(?:Errno|os error) (?:27|28|122)\b/i;
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
  if (lines.some((line) => readOnly.test(line) && isOurs(line)))
    return new DataFolderReadOnly(dataDir, { isDisk: true });
  if (lines.some((line) => forbidden.test(line) && isOurs(line)))
    return new DataFolderReadOnly(dataDir, { isDisk: false });
  return null;
}

/** The lines that show it. */
export function storageSigns(lines: readonly string[], dataDir: string): string[] {
  return lines.filter((line) => storageErrorIn([line], dataDir) !== null);
}
