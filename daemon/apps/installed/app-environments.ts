import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { targetOfDraft } from '../../shared/files/atomic-file.ts';
import { discardedName } from '../../shared/files/discarded-folder.ts';
import { makeFolder } from '../../shared/files/make-folder.ts';
import { DiskFull, savingIn } from '../../shared/files/storage-errors.ts';
import type { AppPointer } from './app-pointer.ts';

/** An environment's path in the folder of its app. */
export function environmentIn(folder: string, env: string): string {
  return join(folder, 'envs', env);
}

/** Chooses a name for a new environment of an app, and creates the folder above it. @throws StorageError */
export async function nameEnvironment(folder: string): Promise<string> {
  await makeFolder(join(folder, 'envs'));
  return randomBytes(6).toString('hex');
}

/** Removes an unfinished environment. */
export async function discardEnvironment(folder: string, env: string): Promise<void> {
  await remove(environmentIn(folder, env));
  await removeIfEmpty(join(folder, 'envs'), folder);
}

/**
 * Removes the environments that the pointer does not name; without a pointer, also empty folders of an install.
 * @param discard removes one of them, by default file by file
 */
export async function removeUnused(
  folder: string,
  pointer: AppPointer | null,
  discard: (path: string) => Promise<unknown> = remove,
): Promise<void> {
  const envs = join(folder, 'envs');
  for (const env of await readdir(envs).catch(() => [])) {
    if (env !== pointer?.env && env !== pointer?.previous?.env) await discard(join(envs, env));
  }
  if (!pointer) await removeIfEmpty(envs, folder);
}

/** Removes the records in the folder of an app that a daemon was writing when it was killed. */
export async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (targetOfDraft(name)?.endsWith('.json')) await remove(join(folder, name));
  }
}

const remove = (path: string) => rm(path, { recursive: true, force: true });

/** Removes only empty folders: an app whose record is lost or unreadable keeps its files. */
async function removeIfEmpty(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rmdir(folder).catch(() => {});
}

/**
 * Moves a folder to the work folder, or beside it where a full disk has no room for that folder: to remove an app must
 * take no space. The next start of the daemon removes what is left there.
 * @returns its new path
 * @throws StorageError
 */
export async function moveAside(path: string, workDir: string): Promise<string> {
  const inWork = join(workDir, `removed-${randomBytes(6).toString('hex')}`);
  const aside = await makeFolder(workDir).then(
    () => inWork,
    (error: unknown) => {
      if (error instanceof DiskFull) return discardedName(workDir);
      throw error;
    },
  );
  await savingIn(dirname(path), () => rename(path, aside));
  return aside;
}
