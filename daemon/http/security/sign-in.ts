import { Router } from 'express';
import type { DashboardSessions } from '../../access/dashboard-sessions.ts';
import { setSessionCookie } from './session-cookie.ts';

/** Where the address with a code leads. */
export const SIGN_IN_PATH = '/sign-in';

/** Exchanges the code of the address that the daemon printed for a cookie, and shows the dashboard. */
export function signIn(sessions: Pick<DashboardSessions, 'exchange'>): Router {
  const router = Router({ caseSensitive: true });
  router.get(SIGN_IN_PATH, (request, response) => {
    const { code } = request.query;
    // HEAD comes here, too, and shows nobody a page: it uses no code up.
    const secret = request.method === 'GET' && typeof code === 'string' ? sessions.exchange(code) : null;
    if (secret !== null) setSessionCookie(response, secret);
    response.set('Cache-Control', 'no-store').redirect(303, secret === null ? '/#/settings' : '/');
  });
  return router;
}
