import { createReadStream } from 'node:fs';
import { setImmediate as othersTurn } from 'node:timers/promises';
import * as z from 'zod';
import { CatalogItem } from '../../contract/catalog/catalog.ts';
import { Timestamp } from '../../contract/common/common.ts';
import { isSystemError } from '../../shared/domain-error.ts';
import { replaceFile } from '../../shared/files/atomic-file.ts';
import { DamagedFile } from '../../shared/files/json-file.ts';
import { inBatches } from '../in-batches.ts';

const Head = z.object({
  /** The service's address. */
  base: z.string(),
  etag: z.string().nullable(),
  fetchedAt: Timestamp,
  items: z.int().min(0),
});

/** A copy of a catalog service's list. */
export interface RemoteCopy extends Omit<z.infer<typeof Head>, 'items'> {
  readonly items: readonly CatalogItem[];
}

/**
 * Reads the copy of a service's list. It has an item a line, so that reading yields to the event loop.
 * @returns null when there is no copy of this service
 * @throws DamagedFile, or the system's error when it cannot be read
 */
export async function readRemoteCopy(file: string, base: string): Promise<RemoteCopy | null> {
  let head: z.infer<typeof Head> | null = null;
  const items: CatalogItem[] = [];
  try {
    for await (const line of linesIn(file)) {
      if (head) items.push(CatalogItem.parse(JSON.parse(line)));
      else {
        head = Head.parse(JSON.parse(line));
        if (head.base !== base) return null;
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (isSystemError(error)) throw error;
    throw new DamagedFile(file, 'a line is not an item of the catalog', { cause: error });
  }
  if (head?.items !== items.length) throw new DamagedFile(file, 'items are missing');
  return { base, etag: head.etag, fetchedAt: head.fetchedAt, items };
}

/** Replaces the copy atomically. */
export async function writeRemoteCopy(file: string, { items, ...head }: RemoteCopy): Promise<void> {
  const lines = [JSON.stringify({ ...head, items: items.length })];
  await inBatches(items, (item) => void lines.push(JSON.stringify(item)));
  await replaceFile(file, `${lines.join('\n')}\n`);
}

async function* linesIn(file: string): AsyncGenerator<string> {
  let begun = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const [first = '', ...others] = (chunk as string).split('\n');
    begun += first;
    for (const next of others) {
      yield begun;
      begun = next;
    }
    await othersTurn(); // data already buffered would continue without a pause
  }
  if (begun !== '') yield begun;
}
