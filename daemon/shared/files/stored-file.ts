import { rename } from 'node:fs/promises';
import type * as z from 'zod';
import type { Logger } from '../logger.ts';
import { readJsonFile } from './json-file.ts';

/** The content of a JSON file. */
export interface Stored<T> {
  /** null: no file, or a damaged one. */
  readonly value: T | null;
  /** The file was damaged; it is renamed to `….damaged`, and the next write creates a new one. */
  readonly setAside: boolean;
}

/** Reads a JSON file; renames a damaged one and logs it, so that it blocks nothing. */
export async function readStoredFile<T>(path: string, schema: z.ZodType<T>, log: Logger): Promise<Stored<T>> {
  try {
    return { value: await readJsonFile(path, schema), setAside: false };
  } catch (error) {
    log.error(`${path} is set aside`, error);
    await rename(path, `${path}.damaged`).catch(() => {}); // the next write replaces it anyway
    return { value: null, setAside: true };
  }
}
