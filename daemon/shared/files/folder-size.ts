import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The size of all files under a folder, in bytes; links are not followed. 0 if the folder does not exist. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await folderBytes(path);
    else if (entry.isFile())
      bytes += await lstat(path).then(
        ({ size }) => size,
        () => 0,
      );
  }
  return bytes;
}
