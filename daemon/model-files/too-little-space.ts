import { statfs } from 'node:fs/promises';
import { byteText } from '../shared/byte-text.ts';
import { DiskFull } from '../shared/files/storage-errors.ts';

/** The free space of the disk that a folder is on, for this user, in bytes. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** The error for a folder whose disk lacks space for a download. */
export function tooLittleSpace(folder: string, lackingBytes: number): DiskFull {
  const message = `The disk of ${folder} has too little space: ${byteText(lackingBytes)} more are needed.`;
  return new DiskFull(folder, { message });
}
