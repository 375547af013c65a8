import { sessionOf } from '../../access/caller.ts';
import type { DashboardSessions } from '../../access/dashboard-sessions.ts';
import type { Authenticate } from '../security/authentication.ts';
import { clearSessionCookie, sessionSecret, setSessionCookie } from '../security/session-cookie.ts';
import type { Routes } from './serve-operations.ts';

export interface SessionServices {
  readonly sessions: DashboardSessions;
  readonly authenticate: Authenticate;
}

/** Shows whether the caller may deploy, and signs a dashboard in and out. */
export function sessionRoutes({ sessions, authenticate }: SessionServices) {
  return {
    getSession: async (_input, { request }) => sessionOf(await authenticate(request)),
    signIn: async ({ body }, { response }) => {
      const secret = await sessions.openWithToken(body.token);
      setSessionCookie(response, secret);
      return sessionOf(await sessions.callerOf(secret));
    },
    signOut: async (_input, { request, response }) => {
      const secret = sessionSecret(request.headers, request.socket);
      if (secret !== null) sessions.end(secret);
      clearSessionCookie(response);
      return sessionOf(await authenticate(request));
    },
  } satisfies Partial<Routes>;
}
