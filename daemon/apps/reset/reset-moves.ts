import { lstat, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../shared/files/make-folder.ts';
import { savingIn } from '../../shared/files/storage-errors.ts';
import { VARIABLES_FILE } from '../run/app-variables.ts';
import type { StoredReset } from './reset-record.ts';

/**
 * Moves all that an app has saved, and its variables, into the folder of a reset. Each move is a rename on one disk, so
 * that the size does not matter.
 * @param folder of the app
 * @throws StorageError, or the system's error; then some of it is still in its place
 */
export async function moveOut(folder: string, reset: StoredReset): Promise<void> {
  for (const { place, aside } of movesOf(folder, reset)) await move(place, aside);
}

/**
 * The way back. What is in its place already stays there.
 * @throws StorageError, or the system's error; a second call goes on where this one ended
 */
export async function putBack(folder: string, reset: StoredReset): Promise<void> {
  for (const { place, aside } of movesOf(folder, reset)) await move(aside, place);
}

function movesOf(folder: string, reset: StoredReset): { readonly place: string; readonly aside: string }[] {
  const asideFolder = join(folder, reset.folder);
  return [
    ...['files', VARIABLES_FILE].map((name) => ({ place: join(folder, name), aside: join(asideFolder, name) })),
    ...reset.besideCode.map((path) => ({
      place: join(folder, reset.packages, path),
      aside: join(asideFolder, 'beside-code', path),
    })),
  ];
}

async function move(from: string, to: string): Promise<void> {
  if (!(await isThere(from))) return;
  await makeFolder(dirname(to));
  await savingIn(dirname(to), () => rename(from, to));
}

/** @throws the system's error when it cannot be known */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
}
