import type * as z from 'zod';
import { BodyError, PathOrQueryError, QueryError, SimpleError } from '../common/common.ts';

/**
 * The right to call an operation that is not for everybody who may use the daemon. `daemon/testing/access/rights.ts` has them as a table.
 * - `deployer`: who may deploy, within its namespaces; from another machine too.
 * - `deployer-here`: the same, and from another machine only who may also use the daemon from there.
 * - `deployer-of-all`: as `deployer-here`, with no limit to some namespaces: it is about all of them.
 * - `owner`: a signed-in dashboard or a command of this machine's own user.
 * - `own-user`: the same, but no dashboard that was signed in with a token: it lets others in, or ends what runs.
 */
export type Right = 'deployer' | 'deployer-here' | 'deployer-of-all' | 'owner' | 'own-user';

/** The rights that some callers lack who may deploy. */
const narrowRights: ReadonlySet<Right> = new Set(['deployer-of-all', 'owner', 'own-user']);

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
  /** The right to call it, which is checked before anything else; absent: everybody who may use the daemon has it. */
  readonly caller?: Right;
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
  /** Refusals besides those of `refusalsOf` and `commonRefusals`, 404 for a path that does not exist, and 405. */
  readonly refusals?: Readonly<Record<number, { readonly description: string; readonly schema: z.ZodType }>>;
}

/** The method and the path of an operation, and its reply: 200 with that schema, unless `reply` says otherwise. */
export function at<
  Method extends Operation['method'],
  Path extends string,
  Schema extends z.ZodType,
  const Reply extends Partial<Operation['success']> = object,
>(
  address: `${Method} ${Path}`,
  schema: Schema,
  reply?: Reply,
): {
  readonly method: Method;
  readonly path: Path;
  readonly success: { readonly status: 200 | 202; readonly schema: Schema } & Reply;
} {
  const [method, path] = address.split(' ') as [Method, Path];
  return { method, path, success: { status: 200, schema, ...(reply as Reply) } };
}

/** Descriptions and schemas of common refusals. */
export const badBody = { description: 'Invalid body', schema: BodyError };
const badPath = { description: 'Invalid path', schema: BodyError };
const badQuery = { description: 'Invalid query', schema: QueryError };
const badPathOrQuery = { description: 'Invalid path or query', schema: PathOrQueryError };
export const refused = (description: string) => ({ description, schema: SimpleError });
const unauthorized = refused('Missing or invalid bearer token');
const forbidden = refused(
  'The token or session may not do this; or the request may come from a web page of another site',
);
export const tooManyJobs = refused('Too many jobs are waiting, or the daemon is stopping');
const stopping = refused('The daemon is stopping');

/** The refusals of every operation, unless it has its own of that status. */
export const commonRefusals: NonNullable<Operation['refusals']> = {
  401: refused(
    'A token is missing or wrong: from another machine, through a proxy, or where the daemon requires one of everybody',
  ),
  403: refused('The request may come from a web page of another site'),
  500: refused('A bug in the daemon'),
  503: stopping,
};

/** The refusals of an operation besides those of every operation: those of its input and its caller, and its own. */
export function refusalsOf(operation: Operation): NonNullable<Operation['refusals']> {
  const { saves, caller, refusals: own } = operation;
  const invalid = invalidInputOf(operation);
  const refusals: NonNullable<Operation['refusals']> = {
    ...(invalid && { 400: invalid }),
    ...(caller && { 401: unauthorized }),
    ...(caller && narrowRights.has(caller) && { 403: forbidden }),
    ...own,
  };
  if (!saves) return refusals;
  const descriptions = [(refusals[503] ?? stopping).description, 'The daemon may not write in its data folder'];
  return { ...refusals, 503: refused(descriptions.join('. ')), 507: refused('The disk is full') };
}

function invalidInputOf({ params, query, body }: Operation) {
  if (body) return badBody;
  if (params && query) return badPathOrQuery;
  return (params && badPath) ?? (query && badQuery);
}
