import { lstat, opendir, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { systemClock } from '../clock.ts';

/** The size of all files under a folder, in bytes; links are not followed. 0 if the folder does not exist. */
export function folderBytes(folder: string): Promise<number> {
  return bytesIn(Buffer.from(folder));
}

/** @param folder its path in bytes: a name need not be UTF-8 */
async function bytesIn(folder: Buffer): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const path = Buffer.concat([folder, Buffer.from(sep), entry.name]);
    if (entry.isDirectory()) bytes += await bytesIn(path);
    else if (entry.isFile()) bytes += (await lstat(path).catch(() => null))?.size ?? 0;
  }
  return bytes;
}

interface CacheSize {
  readonly bytes: number;
  /** Of the files without another hard link. */
  readonly unlinkedBytes: number;
  /** false: a limit ended the count. */
  readonly isComplete: boolean;
}

interface CacheSizeLimits {
  readonly maxFiles: number;
  readonly withinMs: number;
}

/** Enough for some tens of gigabytes of packages. */
const DEFAULT_LIMITS: CacheSizeLimits = { maxFiles: 500_000, withinMs: 20_000 };
/** Reads in parallel, which makes it several times faster without keeping other work of the file system waiting. */
const PARALLEL = 4;

/** The size of the files under a folder; links are not followed. All zero if the folder does not exist. */
export async function cacheSize(folder: string, limits: CacheSizeLimits = DEFAULT_LIMITS): Promise<CacheSize> {
  const until = systemClock.elapsedMs() + limits.withinMs;
  const folders = [folder];
  let [bytes, unlinkedBytes, files, isComplete, working] = [0, 0, 0, true, 0];
  const count = async (path: string): Promise<void> => {
    const stat = await lstat(path).catch(() => null);
    if (!stat?.isFile()) return;
    bytes += stat.size;
    if (stat.nlink === 1) unlinkedBytes += stat.size;
  };
  const read = async (path: string): Promise<void> => {
    const entries = await opendir(path).catch(() => null);
    if (!entries) return;
    try {
      for await (const entry of entries) {
        if (entry.isDirectory()) folders.push(join(path, entry.name));
        else if (entry.isFile()) {
          files += 1;
          await count(join(path, entry.name));
        }
        if (files >= limits.maxFiles || systemClock.elapsedMs() > until) {
          isComplete = false;
          return;
        }
      }
    } catch {
      // An entry was removed meanwhile.
    }
  };
  const work = async (): Promise<void> => {
    while (isComplete) {
      const next = folders.pop();
      if (next !== undefined) {
        working += 1;
        await read(next);
        working -= 1;
      } else if (working === 0) return;
      else await new Promise(setImmediate);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return { bytes, unlinkedBytes, isComplete };
}
