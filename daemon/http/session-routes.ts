import type { Router } from 'express';
import { mayDeploy, namespaceOf } from '../access/caller.ts';
import type { DashboardSessions } from '../access/dashboard-sessions.ts';
import type { Session } from '../contract/session.ts';
import type { CallerOf } from './caller.ts';
import { serve } from './serve.ts';
import { clearSessionCookie, sessionSecret, setSessionCookie } from './session-cookie.ts';

export interface SessionServices {
  readonly sessions: DashboardSessions;
  readonly callerOf: CallerOf;
}

/** Whether whoever asks may deploy, and how a dashboard comes to that. */
export function sessionRoutes(router: Router, { sessions, callerOf }: SessionServices): void {
  const sessionOf = async (request: Parameters<CallerOf>[0]): Promise<Session> => describe(await callerOf(request));
  serve(router, 'getSession', (_input, { request }) => sessionOf(request));
  serve(router, 'signIn', async ({ body }, { response }) => {
    const secret = await sessions.openWithToken(body.token);
    setSessionCookie(response, secret);
    return describe(await sessions.callerOf(secret));
  });
  serve(router, 'signOut', (_input, { request, response }) => {
    const secret = sessionSecret(request.headers, request.socket);
    if (secret !== null) sessions.end(secret);
    clearSessionCookie(response);
    return sessionOf(request);
  });
}

function describe(caller: Awaited<ReturnType<CallerOf>>): Session {
  if (!caller || !mayDeploy(caller)) return { signedIn: false, namespaces: [], namespace: namespaceOf(null) };
  return {
    signedIn: true,
    namespaces: caller.namespaces && [...caller.namespaces],
    namespace: namespaceOf(caller),
  };
}
