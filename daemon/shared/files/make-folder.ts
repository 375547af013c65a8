import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pathExists } from '../async/succeeds.ts';
import { savingIn } from './storage-errors.ts';

/** Creates a folder of the data folder with those above it, for its owner only. It may exist. @throws StorageError */
export async function makeFolder(path: string): Promise<void> {
  await savingIn(dirname(path), () => createFolder(path));
}

/** The same for any folder. @throws the system's error */
export async function createFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => throwReason(error, path));
}

/** On a disk that can only be read, Node reports that the missing folder is missing. */
async function throwReason(error: unknown, path: string): Promise<never> {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  let missing = path;
  while (dirname(missing) !== missing && !(await pathExists(dirname(missing)))) missing = dirname(missing);
  await mkdir(missing, { mode: 0o700 });
  throw error;
}

/** Whether there is a folder at a path, which may be a link to it. */
export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
