import type { Stats } from 'node:fs';
import { readFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type * as z from 'zod';
import { byteText } from '../../contract/common/byte-text.ts';
import { systemNow } from '../clock.ts';
import { DomainError } from '../domain-error.ts';
import type { Logger } from '../logger.ts';
import { replaceFile } from './atomic-file.ts';
import { asideName } from './set-aside.ts';
import { storageError } from './storage-errors.ts';

/** Several times the largest file that the daemon writes. More would take the memory of the robot. */
const MAX_BYTES = 128 * 1024 ** 2;

/**
 * Replaces the file atomically: a reader sees the old value or the new one, even after a crash.
 * @throws DiskFull, DataFolderReadOnly
 */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  await replaceFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** The content of a file is not what belongs in it, or no file is in its place. */
export class DamagedFile extends DomainError {
  constructor(path: string, damage: string, options?: ErrorOptions) {
    super(`${path} is damaged: ${damage}.`, options);
  }
}

/**
 * @returns null when the file does not exist
 * @throws DamagedFile when its content does not match the schema, or the system's error when it cannot be read
 */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readTextFile(path);
  if (text === null) return null;
  if (text.trim() === '') throw new DamagedFile(path, 'it is empty');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DamagedFile(path, 'it is not JSON', { cause: error }); // the message would quote the content
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path: member, message } = parsed.error.issues[0] as z.core.$ZodIssue;
  const where = member.length > 0 ? `${member.join('.')}: ` : '';
  throw new DamagedFile(path, `${where}${message}`, { cause: parsed.error });
}

/**
 * Reads a regular file only: to open a pipe would wait without end.
 * @returns null when the file does not exist
 * @throws DamagedFile when it is no regular file or far too large, or the system's error
 */
export async function readTextFile(path: string): Promise<string | null> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new DamagedFile(path, `it is ${kindOf(stats)}`);
    if (stats.size > MAX_BYTES) throw new DamagedFile(path, `it has ${byteText(stats.size)}`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

const kindOf = (stats: Stats) => (stats.isDirectory() ? 'a folder' : 'not a file');

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
