import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { replaceFile } from './atomic-file.ts';

/**
 * Replaces the file atomically: a reader sees the old value or the new one, even after a crash.
 * @throws DiskFull, DataFolderReadOnly
 */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  await replaceFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * @returns null when the file does not exist
 * @throws Error naming the file when its content does not match the schema
 */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${path} is damaged: ${(error as Error).message}`, { cause: error });
  }
}
