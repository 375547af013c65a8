import * as z from 'zod';
import { InvalidQuery } from '../../shared/invalid-input.ts';
import type { SortKey } from './endpoint-record.ts';

const Written = z.tuple([z.string(), z.string(), z.string()]);

/** An opaque cursor for the last record of a page. It stays valid when that record is removed. */
export function cursorAt({ createdAt, name, namespace }: SortKey): string {
  return Buffer.from(JSON.stringify([createdAt, name, namespace])).toString('base64url');
}

/** @throws InvalidQuery for an unreadable cursor */
export function sortKeyAt(cursor: string): SortKey {
  const [createdAt, name, namespace] = read(cursor);
  return { createdAt, name, namespace };
}

function read(cursor: string): z.infer<typeof Written> {
  try {
    return Written.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new InvalidQuery('The query is invalid.', [
      { path: ['cursor'], message: 'unknown cursor: use the nextCursor of a page' },
    ]);
  }
}
