import { lstat, readdir } from 'node:fs/promises';
import { sep } from 'node:path';

/** The size of all files under a folder, in bytes; links are not followed. 0 if the folder does not exist. */
export function folderBytes(folder: string): Promise<number> {
  return bytesIn(Buffer.from(folder));
}

/** @param folder its path in bytes: a name need not be UTF-8 */
async function bytesIn(folder: Buffer): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const path = Buffer.concat([folder, Buffer.from(sep), entry.name]);
    if (entry.isDirectory()) bytes += await bytesIn(path);
    else if (entry.isFile())
      bytes += await lstat(path).then(
        ({ size }) => size,
        () => 0,
      );
  }
  return bytes;
}
