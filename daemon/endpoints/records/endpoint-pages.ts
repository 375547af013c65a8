import * as z from 'zod';
import type { modelOperations } from '../../contract/operations/model-operations.ts';
import { InvalidQuery } from '../../shared/invalid-input.ts';
import { type SortKey, sortKeyOf } from './endpoint-record.ts';
import type { EndpointRecords } from './endpoint-records.ts';

/** A query of the dashboard; the page is counted from 1. */
export type NumberedPage = z.infer<typeof modelOperations.listOwnEndpoints.query>;

/**
 * Lists a namespace's endpoints, newest first.
 * @param options.cursor the previous page's `nextCursor`
 * @throws InvalidQuery for an unknown cursor
 */
export async function pageAfter(
  records: EndpointRecords,
  namespace: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
) {
  await records.load();
  const after = cursor === undefined ? null : sortKeyAt(cursor);
  const found = records.after(after, limit + 1, (record) => record.namespace === namespace);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(({ endpoint }) => endpoint),
    ...(found.length > limit && last ? { nextCursor: cursorAt(sortKeyOf(last)) } : {}),
  };
}

/** A page of the endpoints of all namespaces, or of one, newest first, with the number of matches and of pages. */
export async function numberedPage(
  records: EndpointRecords,
  { namespace, name, state, repository, page, limit }: NumberedPage,
) {
  await records.load();
  const found = records.all.filter(
    ({ namespace: owner, endpoint }) =>
      (namespace === undefined || owner === namespace) &&
      (name === undefined || endpoint.name === name) &&
      (state === undefined || endpoint.status.state === state) &&
      (repository === undefined || endpoint.model.repository === repository),
  );
  return {
    records: found.slice((page - 1) * limit, page * limit),
    matches: found.length,
    page,
    pages: Math.ceil(found.length / limit),
    status: records.status,
  };
}

const Written = z.tuple([z.string(), z.string(), z.string()]);

/** An opaque cursor for the last record of a page. It stays valid when that record is removed. */
function cursorAt({ createdAt, name, namespace }: SortKey): string {
  return Buffer.from(JSON.stringify([createdAt, name, namespace])).toString('base64url');
}

/** @throws InvalidQuery for an unreadable cursor */
function sortKeyAt(cursor: string): SortKey {
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
