import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { savingIn } from './storage-errors.ts';

/** Creates a folder of the data folder with those above it, for its owner only. It may exist. @throws StorageError */
export async function makeFolder(path: string): Promise<void> {
  await savingIn(dirname(path), () => mkdir(path, { recursive: true, mode: 0o700 }));
}
