import { type Request, Router } from 'express';
import { browserName } from '../../access/browser-name.ts';
import type { DashboardSessions } from '../../access/dashboard-sessions.ts';
import { SIGN_IN_PATH } from '../../access/sign-in-codes.ts';
import { secretOf, setSessionCookie } from './session-cookie.ts';

/** The page goes on from here to the one that this browser showed last. */
const SIGNED_IN = '/#/signed-in';
/** Says that the address no longer works, and how to get another. */
const NOT_SIGNED_IN = '/#/settings?sign-in=failed';

/** Exchanges the code in the sign-in address for a cookie, and redirects to the dashboard. */
export function signIn(sessions: Pick<DashboardSessions, 'exchange' | 'callerOf'>): Router {
  const router = Router({ caseSensitive: true });
  router.get(SIGN_IN_PATH, async (request, response) => {
    response.set('Cache-Control', 'no-store');
    // A browser that fetches pages in advance must not use the code up; it fetches this one again when it shows it.
    if (isPrefetch(request)) return void response.status(503).end();
    const { code } = request.query;
    // HEAD requests arrive here too; they show no page, so they do not use up the code.
    const given = request.method === 'GET' && typeof code === 'string' ? code : '';
    const secret = await sessions.exchange(given, browserName(request.headers['user-agent']));
    if (secret !== null) setSessionCookie(response, secret);
    const isSignedIn = secret !== null || (await hasSession(request));
    response.redirect(303, isSignedIn ? SIGNED_IN : NOT_SIGNED_IN);
  });

  /** The address is opened again, perhaps by Back or Reload. */
  async function hasSession(request: Request): Promise<boolean> {
    const secret = secretOf(request);
    return secret !== null && (await sessions.callerOf(secret)) !== null;
  }
  return router;
}

function isPrefetch({ headers }: Request): boolean {
  return [headers['sec-purpose'], headers['purpose'], headers['x-moz']].some((each) => /prefetch/i.test(String(each)));
}
