import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { AccessTokens } from '../access/access-tokens.ts';
import { type Caller, mayDeploy } from '../access/caller.ts';
import type { DashboardSessions } from '../access/dashboard-sessions.ts';
import { bearerToken } from './bearer.ts';
import { Unauthorized } from './errors.ts';
import { sessionSecret } from './session-cookie.ts';
import { isTokenOperation } from './token-operations.ts';

/** Says who calls; null where the request shows nothing that is valid. */
export type CallerOf = (request: IncomingMessage) => Promise<Caller | null>;

export interface CallerDeps {
  readonly tokens: Pick<AccessTokens, 'verify'>;
  readonly sessions: Pick<DashboardSessions, 'callerOf'>;
}

/** A bearer token counts before a cookie: who shows one that is not valid is not let in as somebody else. */
export function callerOf({ tokens, sessions }: CallerDeps): CallerOf {
  return async ({ headers, socket }) => {
    const text = bearerToken(headers);
    if (text !== null) {
      const token = await tokens.verify(text);
      return token && { kind: 'token', ...token };
    }
    const secret = sessionSecret(headers, socket);
    return secret === null ? null : sessions.callerOf(secret);
  };
}

const callers = new WeakMap<IncomingMessage, Caller>();

/**
 * Lets only known callers to the operations that need one. It stands before whatever reads bodies and decodes paths, so
 * that a stranger learns nothing but that.
 */
export function requireCaller(callerOf: CallerOf): RequestHandler {
  return async (request, _response, next) => {
    if (isTokenOperation(request.method, request.path)) callers.set(request, await admit(request, callerOf));
    next();
  };
}

/** Who called an operation that needs a known caller. @throws Unauthorized when nobody has looked */
export function callerFor(request: Request): Caller {
  const caller = callers.get(request);
  if (!caller) throw new Unauthorized(NEEDED);
  return caller;
}

const NEEDED =
  'This needs a valid token of this daemon as a bearer token; "robot-daemon token create" makes one. In the dashboard, sign in.';

async function admit(request: IncomingMessage, callerOf: CallerOf): Promise<Caller> {
  const caller = await callerOf(request);
  if (!caller) throw new Unauthorized(NEEDED);
  if (mayDeploy(caller)) return caller;
  throw new Unauthorized(`The token "${caller.name}" may not deploy: it is for ${caller.scopes.join(', ')}.`);
}
