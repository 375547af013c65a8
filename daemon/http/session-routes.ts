import type { Router } from 'express';
import { sessionOf } from '../access/caller.ts';
import type { DashboardSessions } from '../access/dashboard-sessions.ts';
import type { CallerOf } from './caller.ts';
import { serve } from './serve.ts';
import { clearSessionCookie, sessionSecret, setSessionCookie } from './session-cookie.ts';

export interface SessionServices {
  readonly sessions: DashboardSessions;
  readonly callerOf: CallerOf;
}

/** Whether whoever asks may deploy, and how a dashboard comes to that. */
export function sessionRoutes(router: Router, { sessions, callerOf }: SessionServices): void {
  serve(router, 'getSession', async (_input, { request }) => sessionOf(await callerOf(request)));
  serve(router, 'signIn', async ({ body }, { response }) => {
    const secret = await sessions.openWithToken(body.token);
    setSessionCookie(response, secret);
    return sessionOf(await sessions.callerOf(secret));
  });
  serve(router, 'signOut', async (_input, { request, response }) => {
    const secret = sessionSecret(request.headers, request.socket);
    if (secret !== null) sessions.end(secret);
    clearSessionCookie(response);
    return sessionOf(await callerOf(request));
  });
}
