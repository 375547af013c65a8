import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const DISCARDED = '.discarded-';

/** Takes a folder out of the way in one step, however much it holds. It may not exist. */
export async function discardFolder(folder: string): Promise<void> {
  await rename(folder, `${folder}${DISCARDED}${randomBytes(6).toString('hex')}`).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    },
  );
}

/** What was discarded of a folder and is still there, by this process or one that was killed. */
export async function discardedOf(folder: string): Promise<string[]> {
  const names = await readdir(dirname(folder)).catch(() => []);
  const start = `${basename(folder)}${DISCARDED}`;
  return names.filter((name) => name.startsWith(start)).map((name) => join(dirname(folder), name));
}

/** Removes that, file by file: all at once, tens of thousands would hold up every other look at the disk for seconds. */
export async function removeDiscarded(folder: string): Promise<void> {
  for (const path of await discardedOf(folder)) await removeGently(path);
}

async function removeGently(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeGently(path);
    else await rm(path, { force: true });
  }
  await rmdir(folder);
}
