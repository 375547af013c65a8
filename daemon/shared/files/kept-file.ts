import { rename } from 'node:fs/promises';
import type * as z from 'zod';
import type { Logger } from '../logger.ts';
import { readJsonFile } from './json-file.ts';

/** What was kept in a JSON file, or null where there is no such file. */
export interface Kept<T> {
  readonly value: T | null;
  /** It was not what it should be: it now lies beside, named `….damaged`, and the next write begins a new one. */
  readonly setAside: boolean;
}

/** Reads what is kept in a file; a damaged one is set aside and said in the log, so that it is in nobody's way. */
export async function readKeptFile<T>(path: string, schema: z.ZodType<T>, log: Logger): Promise<Kept<T>> {
  try {
    return { value: await readJsonFile(path, schema), setAside: false };
  } catch (error) {
    log.error(`${path} is set aside`, error);
    await rename(path, `${path}.damaged`).catch(() => {}); // the next write replaces it all the same
    return { value: null, setAside: true };
  }
}
