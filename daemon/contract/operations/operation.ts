import type * as z from 'zod';
import { BodyError, PathOrQueryError, QueryError, SimpleError } from '../common/common.ts';

/** One operation of the daemon's REST interface. `path` has `{name}` for each path parameter. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  /** The address of the operation that this one is another name for; apps written for another daemon call this one. */
  readonly aliasOf?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The caller needs a token or a session, which is checked before anything else. */
  readonly token?: true;
  /** It saves something, which fails where the data folder cannot be written (503) or its disk is full (507). */
  readonly saves?: true;
  readonly success: {
    readonly status: 200 | 202;
    readonly schema: z.ZodType;
    readonly contentType?: string;
    /** The reply has a weak ETag; a request whose If-None-Match has it is answered with 304. */
    readonly isConditional?: true;
    /** The body when a remote service makes the reply. OpenAPI describes this daemon's own. */
    readonly relayed?: z.ZodType;
  };
  /** Refusals besides `commonRefusals`, 404 for a path that does not exist, and 405. */
  readonly refusals?: Readonly<Record<number, { readonly description: string; readonly schema: z.ZodType }>>;
}

/** Descriptions and schemas of common refusals. */
export const badBody = { description: 'Invalid body', schema: BodyError };
export const badPath = { description: 'Invalid path', schema: BodyError };
export const badQuery = { description: 'Invalid query', schema: QueryError };
export const badPathOrQuery = { description: 'Invalid path or query', schema: PathOrQueryError };
export const refused = (description: string) => ({ description, schema: SimpleError });
export const unauthorized = refused('Missing or invalid bearer token');
export const tooManyJobs = refused('Too many jobs are waiting, or the daemon is stopping');
const stopping = refused('The daemon is stopping');

/** The refusals of every operation, unless it has its own of that status. */
export const commonRefusals: NonNullable<Operation['refusals']> = {
  401: refused('From another machine: missing or wrong access token'),
  403: refused('The request may come from a web page of another site'),
  500: refused('A bug in the daemon'),
  503: stopping,
};

/** The refusals of an operation besides those of every operation. */
export function refusalsOf({ saves, refusals = {} }: Operation): NonNullable<Operation['refusals']> {
  if (!saves) return refusals;
  const descriptions = [(refusals[503] ?? stopping).description, 'The daemon may not write in its data folder'];
  return { ...refusals, 503: refused(descriptions.join('. ')), 507: refused('The disk is full') };
}
