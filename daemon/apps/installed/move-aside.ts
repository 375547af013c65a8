import { randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { discardedName } from '../../shared/files/discarded-folder.ts';
import { makeFolder } from '../../shared/files/make-folder.ts';
import { DiskFull, savingIn } from '../../shared/files/storage-errors.ts';

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
