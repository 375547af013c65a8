import { readFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import type * as z from 'zod';

/** Replaces the file in one step: a reader, or a crash at any moment, sees the old value or the new one whole. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}

/**
 * @returns null when there is no such file
 * @throws Error naming the file when it is there but is not what the schema says: files on disk are never trusted
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
