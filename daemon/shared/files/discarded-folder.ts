import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

const DISCARDED = '.discarded-';

/** Renames a folder out of the way, in one step whatever its size. It need not exist. */
export async function discardFolder(folder: string): Promise<void> {
  await rename(folder, discardedName(folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** A new path beside a folder, for what `removeDiscarded` of that folder is to remove. */
export function discardedName(folder: string): string {
  return `${folder}${DISCARDED}${randomBytes(6).toString('hex')}`;
}

/** @returns the discarded copies of a folder not yet removed, of this process or a killed one */
export async function discardedOf(folder: string): Promise<string[]> {
  const names = await readdir(dirname(folder)).catch(() => []);
  const start = `${basename(folder)}${DISCARDED}`;
  return names.filter((name) => name.startsWith(start)).map((name) => join(dirname(folder), name));
}

/** Removes discarded copies file by file: removing tens of thousands at once blocks other disk access for seconds. */
export async function removeDiscarded(folder: string): Promise<void> {
  for (const path of await discardedOf(folder)) await removeFileByFile(Buffer.from(path));
}

/** @param folder its path in bytes: a name need not be UTF-8 */
async function removeFileByFile(folder: Buffer): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const path = Buffer.concat([folder, Buffer.from(sep), entry.name]);
    if (entry.isDirectory()) await removeFileByFile(path);
    else await rm(path, { force: true });
  }
  await rmdir(folder);
}
