import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { READABLE } from './partial-file.ts';

const SEARCHABLE = 0o755;

/**
 * Lets every user read a folder: the program in a container that mounts it may be another one, without the right to
 * ignore permissions. Users of this machine are still kept out by the folders above.
 */
export async function openToContainers(folder: string): Promise<void> {
  await chmod(folder, SEARCHABLE);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? SEARCHABLE : READABLE).catch(unlessGone);
  }
}

/** A part of another download ends in between. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
