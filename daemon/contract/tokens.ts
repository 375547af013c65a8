import * as z from 'zod';
import { named, namedStrictly, Timestamp } from './common/common.ts';
import { Namespace } from './endpoints/endpoint.ts';

/** A permission: to deploy, to use the daemon from another machine, or to use one endpoint, `endpoint:<namespace>/<name>`. */
export const TokenScope = z.string().regex(/^(?:deploy|daemon|endpoint:[a-z0-9-]{1,64}\/[a-z0-9-]{1,32})$/);

export const TokenName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.@-]{0,63}$/, 'letters, digits, ".", "_", "@" and "-", at most 64');

/** A token of this daemon, without its text, which is kept nowhere. */
export const IssuedToken = named('IssuedToken', {
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  /** The namespaces that it may deploy to; null: all. */
  namespaces: z.array(z.string()).nullable(),
  createdAt: Timestamp,
  /**
   * Also by a browser that it signed in. null: it was not used yet. After a restart of the daemon it may be an hour too
   * early.
   */
  lastUsedAt: Timestamp.nullable(),
});
export type IssuedToken = z.infer<typeof IssuedToken>;

export const NewTokenRequest = namedStrictly('NewTokenRequest', {
  name: TokenName.optional().describe('Default: generated'),
  scopes: z
    .array(TokenScope)
    .min(1)
    .max(20)
    .describe('`deploy`, `daemon`: use it from another machine, or `endpoint:<namespace>/<name>`: use that endpoint'),
  namespaces: z
    .array(Namespace)
    .min(1)
    .max(100)
    .nullable()
    .optional()
    .describe('The namespaces that it may deploy to. Default: all'),
});
export type NewTokenRequest = z.infer<typeof NewTokenRequest>;

/** A token that was just made. */
export const NewToken = named('NewToken', {
  /** The token itself, which is never shown again. */
  text: z.string(),
  token: IssuedToken,
});
export type NewToken = z.infer<typeof NewToken>;
