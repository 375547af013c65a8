import { browserName } from '../../access/browser-name.ts';
import { sessionOf } from '../../access/caller.ts';
import type { DashboardSessions } from '../../access/dashboard-sessions.ts';
import type { Authenticate } from '../security/authentication.ts';
import { clearSessionCookie, secretOf, setSessionCookie } from '../security/session-cookie.ts';
import type { Routes } from './serve-operations.ts';

export interface SessionServices {
  readonly sessions: DashboardSessions;
  readonly authenticate: Authenticate;
}

/** Shows whether the caller may deploy, signs a dashboard in and out, and lists and ends the sessions of others. */
export function sessionRoutes({ sessions, authenticate }: SessionServices) {
  return {
    getSession: async (_input, { request }) => sessionOf(await authenticate(request)),
    signIn: async ({ body }, { request, response }) => {
      const secret = await sessions.openWithToken(body.token, browserName(request.headers['user-agent']));
      setSessionCookie(response, secret);
      return sessionOf(await sessions.callerOf(secret));
    },
    signOut: async (_input, { request, response }) => {
      const secret = secretOf(request);
      clearSessionCookie(response);
      if (secret !== null) await sessions.end(secret);
      return sessionOf(await authenticate(request));
    },
    listSessions: ({ caller }, { request }) => sessions.list(caller, secretOf(request)),
    endSession: async ({ params, caller }) => {
      await sessions.endById(params.sessionId, caller);
      return { ended: 1 };
    },
    endOtherSessions: async ({ caller }, { request }) => ({
      ended: await sessions.endOthers(caller, secretOf(request)),
    }),
  } satisfies Partial<Routes>;
}
