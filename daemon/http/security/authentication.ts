import type { IncomingMessage } from 'node:http';
import type { AccessTokens } from '../../access/access-tokens.ts';
import { type Caller, mayDeploy } from '../../access/caller.ts';
import type { DashboardSessions } from '../../access/dashboard-sessions.ts';
import { Unauthorized } from '../requests/errors.ts';
import { bearerToken } from './bearer.ts';
import { sessionSecret } from './session-cookie.ts';

/** Finds out who calls; null where the request shows nothing that is valid. */
export type Authenticate = (request: IncomingMessage) => Promise<Caller | null>;

export interface AuthenticationDeps {
  readonly tokens: Pick<AccessTokens, 'verify'>;
  readonly sessions: Pick<DashboardSessions, 'callerOf'>;
}

/** Reads the bearer token, and the cookie only where there is none: a wrong token is not made good by a cookie. */
export function authentication({ tokens, sessions }: AuthenticationDeps): Authenticate {
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

/** The caller of an operation that is not open to everybody. @throws Unauthorized */
export async function requireCaller(request: IncomingMessage, authenticate: Authenticate): Promise<Caller> {
  const caller = await authenticate(request);
  if (!caller) {
    throw new Unauthorized(
      'This needs a valid token of this daemon as a bearer token; "robot-daemon token create" makes one. In the dashboard, sign in.',
    );
  }
  if (mayDeploy(caller)) return caller;
  throw new Unauthorized(`The token "${caller.name}" may not deploy: it is for ${caller.scopes.join(', ')}.`);
}
