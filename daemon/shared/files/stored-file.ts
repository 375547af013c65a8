import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type * as z from 'zod';
import { systemNow } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { DamagedFile, readJsonFile } from './json-file.ts';
import { asideName } from './set-aside.ts';
import { storageError } from './storage-errors.ts';

/** The content of a JSON file. */
export interface Stored<T> {
  /** null: no file, or a damaged one. */
  readonly value: T | null;
  /** The file was damaged; it is renamed, see `asideName`, and the next write creates a new one. */
  readonly setAside: boolean;
}

/**
 * Reads a JSON file; renames a damaged one and logs it, so that it blocks nothing.
 * @throws DataFolderReadOnly when the file may not be read, or another error of the system: it need not be damaged
 */
export async function readStoredFile<T>(
  path: string,
  schema: z.ZodType<T>,
  log: Pick<Logger, 'error'>,
): Promise<Stored<T>> {
  try {
    return { value: await readJsonFile(path, schema), setAside: false };
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw storageError(error, dirname(path));
    await keepAside(path, error, log);
    return { value: null, setAside: true };
  }
}

/**
 * The same for records of the past, without which the daemon goes on: one that cannot be read is set aside, too, because
 * the next write would replace it.
 */
export async function readPastRecords<T>(
  path: string,
  schema: z.ZodType<T>,
  log: Pick<Logger, 'error'>,
): Promise<T | null> {
  try {
    return await readJsonFile(path, schema);
  } catch (error) {
    await keepAside(path, error as Error, log);
    return null;
  }
}

async function keepAside(path: string, damage: Error, log: Pick<Logger, 'error'>): Promise<void> {
  const aside = asideName(path, systemNow());
  await rename(path, aside).then(
    () => log.error(`${path} is set aside as ${aside}`, damage),
    (error: unknown) => log.error(`${path} cannot be set aside (${(error as Error).message})`, damage),
  );
}
