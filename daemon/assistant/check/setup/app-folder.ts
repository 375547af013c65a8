import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppFolderMissing } from './errors.ts';

/** The folder of an app, links resolved. @throws AppFolderMissing */
export async function appFolder(path: string): Promise<string> {
  const folder = await realpath(resolve(path)).catch(() => null);
  const found = folder === null ? null : await stat(folder).catch(() => null);
  if (folder === null || !found?.isDirectory()) throw new AppFolderMissing(path, found?.isFile() ?? false);
  return folder;
}
