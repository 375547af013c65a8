import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { AccessTokens } from '../../access/access-tokens.ts';
import { type Caller, isOwnUser, mayDeploy, tokenCaller } from '../../access/caller.ts';
import type { DashboardSessions } from '../../access/dashboard-sessions.ts';
import type { RunTokens } from '../../access/run-tokens.ts';
import type { Right } from '../../contract/operations/operation.ts';
import { NotAllowed, Unauthorized } from '../requests/errors.ts';
import { secretOf } from './session-cookie.ts';

/** Identifies the caller; null without valid credentials. */
export type Authenticate = (request: IncomingMessage) => Promise<Caller | null>;

interface AuthenticationDeps {
  readonly tokens: Pick<AccessTokens, 'verify'>;
  readonly sessions: Pick<DashboardSessions, 'callerOf'>;
}

/** Reads the bearer token, and the cookie only without one: a cookie does not replace a wrong token. */
export function authentication({ tokens, sessions }: AuthenticationDeps): Authenticate {
  return async (request) => {
    const text = bearerToken(request.headers);
    if (text !== null) {
      const token = await tokens.verify(text);
      return token && tokenCaller(token);
    }
    const secret = secretOf(request);
    return secret === null ? null : sessions.callerOf(secret);
  };
}

/** Identifies running apps too, by the tokens of their runs. For the gateway only: no operation accepts them. */
export function withRuns(authenticate: Authenticate, runs: Pick<RunTokens, 'verify'>): Authenticate {
  return async (request) => {
    const text = bearerToken(request.headers);
    return (text === null ? null : runs.verify(text)) ?? authenticate(request);
  };
}

/** @returns a caller who has the right. @throws Unauthorized, NotAllowed */
export async function requireCaller(
  request: IncomingMessage,
  authenticate: Authenticate,
  right: Right,
): Promise<Caller> {
  const caller = await authenticate(request);
  if (!caller) {
    throw new Unauthorized(
      'A valid bearer token of this daemon is required. Create one with "robot-daemon token create". In the dashboard, sign in.',
    );
  }
  if (!mayDeploy(caller))
    throw new Unauthorized(`The token "${caller.name}" may not deploy. Its scopes: ${caller.scopes.join(', ')}.`);
  if (right === 'deployer-of-all' && caller.namespaces !== null) {
    const namespaces = caller.namespaces.join(', ');
    throw new NotAllowed(
      `This is about all namespaces, and the token "${caller.name}" is for some only: ${namespaces}. Use a token without that limit.`,
    );
  }
  if ((right === 'owner' || right === 'own-user') && caller.kind === 'token')
    throw new NotAllowed('No token may do this. Use the dashboard of this machine.');
  if (right === 'own-user' && !isOwnUser(caller)) throw new NotAllowed(BY_TOKEN);
  return caller;
}

const BY_TOKEN =
  'A browser that signed in with a token may not do this. Sign it out in Settings, and sign in with a code of the window or of another dashboard.';

/** The bearer token of a request; null: none. Never read from the address, which ends up in logs and histories. */
export function bearerToken({ authorization = '' }: IncomingHttpHeaders): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null;
}
