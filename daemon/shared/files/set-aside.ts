import { renameSync } from 'node:fs';
import { lstat, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** The name under which a damaged file or folder is kept beside its old place: `jobs.json.damaged-20261121T101500123`. */
export function asideName(path: string, at: Date): string {
  return `${path}.damaged-${at.toISOString().replace(/[-:.Z]/g, '')}`;
}

/**
 * Renames a folder in the place of a file. The final slash keeps the rename from moving a file that another process has
 * made there meanwhile.
 */
export function setFolderAside(path: string, at: Date): void {
  try {
    renameSync(process.platform === 'win32' ? path : `${path}/`, asideName(path, at));
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error; // another was first
  }
}

/**
 * Renames a file or folder to the top of the data folder, where no daemon looks for it. The caller holds the lock of the
 * data folder.
 * @returns its new path
 */
export async function setAside(path: string, root: string, at: Date): Promise<string> {
  const aside = await unused(asideName(join(root, basename(path)), at));
  await rename(path, aside);
  return aside;
}

/** Records of several apps have one name, and may be set aside in the same millisecond. */
async function unused(path: string): Promise<string> {
  for (let [name, number] = [path, 2]; ; name = `${path}-${number}`, number += 1) {
    const code = await lstat(name).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (code !== null) return name; // if it cannot be known, the rename says why
  }
}
