import { Router } from 'express';
import type { DashboardSessions } from '../../access/dashboard-sessions.ts';
import { setSessionCookie } from './session-cookie.ts';

/** The path of the sign-in address. */
export const SIGN_IN_PATH = '/sign-in';

/** Exchanges the code in the sign-in address for a cookie, and redirects to the dashboard. */
export function signIn(sessions: Pick<DashboardSessions, 'exchange'>): Router {
  const router = Router({ caseSensitive: true });
  router.get(SIGN_IN_PATH, (request, response) => {
    const { code } = request.query;
    // HEAD requests arrive here too; they show no page, so they do not use up the code.
    const secret = request.method === 'GET' && typeof code === 'string' ? sessions.exchange(code) : null;
    if (secret !== null) setSessionCookie(response, secret);
    response.set('Cache-Control', 'no-store').redirect(303, secret === null ? '/#/settings' : '/');
  });
  return router;
}
