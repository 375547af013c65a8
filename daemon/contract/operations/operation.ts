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
  /** Who calls must show a token, or be signed in; that is looked at before anything else of the request. */
  readonly token?: true;
  readonly success: {
    readonly status: 200 | 202;
    readonly schema: z.ZodType;
    readonly contentType?: string;
    /** The body where another service that was chosen makes the answer. The documents describe this daemon's own. */
    readonly relayed?: z.ZodType;
  };
  /** Refusals beyond those that every operation knows: 403 (foreign page), 404 (no such path), 405 and 500. */
  readonly refusals?: Readonly<Record<number, { readonly description: string; readonly schema: z.ZodType }>>;
}

/** What a refusal says and in which shape, by its cause. */
export const badBody = { description: 'Not what the body should be', schema: BodyError };
export const badPath = { description: 'Not what the path should be', schema: BodyError };
export const badQuery = { description: 'Bad query', schema: QueryError };
export const badPathOrQuery = { description: 'Not what the path or the query should be', schema: PathOrQueryError };
export const refused = (description: string) => ({ description, schema: SimpleError });
export const unauthorized = refused('No bearer token, or one that is not valid here');
