import type * as z from 'zod';
import { BodyError, PathOrQueryError, QueryError, SimpleError } from '../common/common.ts';

/** One operation of the daemon's REST interface. `path` has `{name}` for each path parameter. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The caller needs a token or a session, which is checked before anything else. */
  readonly token?: true;
  readonly success: {
    readonly status: 200 | 202;
    readonly schema: z.ZodType;
    readonly contentType?: string;
    /** The body when a remote service makes the reply. OpenAPI describes this daemon's own. */
    readonly relayed?: z.ZodType;
  };
  /** Refusals besides those of every operation: 403 (foreign page), 404 (no such path), 405 and 500. */
  readonly refusals?: Readonly<Record<number, { readonly description: string; readonly schema: z.ZodType }>>;
}

/** Descriptions and schemas of common refusals. */
export const badBody = { description: 'Invalid body', schema: BodyError };
export const badPath = { description: 'Invalid path', schema: BodyError };
export const badQuery = { description: 'Invalid query', schema: QueryError };
export const badPathOrQuery = { description: 'Invalid path or query', schema: PathOrQueryError };
export const refused = (description: string) => ({ description, schema: SimpleError });
export const unauthorized = refused('Missing or invalid bearer token');
