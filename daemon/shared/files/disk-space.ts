import { statfs } from 'node:fs/promises';

/**
 * The space of the disk that a folder is on, in bytes: all of it, and the part that this user may still fill.
 * @throws the system's error when the folder does not exist
 */
export async function diskSpace(folder: string): Promise<{ readonly totalBytes: number; readonly freeBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { totalBytes: blocks * bsize, freeBytes: bavail * bsize };
}
