import { statfs } from 'node:fs/promises';
import { byteText } from '../shared/byte-text.ts';
import { ModelFileError } from './errors.ts';

/** The free space of the disk that a folder is on, for this user, in bytes. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** @param lackingBytes the additional space that is needed; null: unknown */
export function diskFull(folder: string, lackingBytes: number | null, cause?: unknown): ModelFileError {
  const message =
    lackingBytes === null
      ? `The disk of ${folder} is full.`
      : `The disk of ${folder} has too little space: ${byteText(lackingBytes)} more are needed.`;
  return new ModelFileError(
    'disk-full',
    message,
    'Free space on it, for example with robot-daemon model ls and model rm. A download then continues where it ended.',
    cause,
  );
}

/** Whether an error of the file system says that no space is left for this user. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}
