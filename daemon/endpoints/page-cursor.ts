import * as z from 'zod';
import { InvalidQuery } from '../shared/invalid-input.ts';
import type { SortKey } from './endpoint-record.ts';

const Written = z.tuple([z.string(), z.string()]);

/** The sort key of the last record of a page, as text that means nothing to its bearer. It outlives the record. */
export function cursorAt({ createdAt, name }: SortKey): string {
  return Buffer.from(JSON.stringify([createdAt, name])).toString('base64url');
}

/** @throws InvalidQuery when no page ever ended with it */
export function sortKeyAt(cursor: string): SortKey {
  const [createdAt, name] = read(cursor);
  return { createdAt, name };
}

function read(cursor: string): [createdAt: string, name: string] {
  try {
    return Written.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new InvalidQuery('The query is not what it should be.', [
      { path: ['cursor'], message: 'no page ended with it: take the nextCursor of one' },
    ]);
  }
}
