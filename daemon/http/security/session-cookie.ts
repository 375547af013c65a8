import type { IncomingMessage } from 'node:http';
import { type CookieOptions, type Request, type Response, Router } from 'express';
import { browserName } from '../../access/browser-name.ts';
import type { DashboardSessions } from '../../access/dashboard-sessions.ts';
import { SESSION_DAYS } from '../../access/dashboard-sessions.ts';
import { SIGN_IN_PATH } from '../../access/sign-in-codes.ts';

/** Hidden from scripts, and not sent by pages of other sites. Not `secure`: the daemon has no TLS. */
const options: CookieOptions = { httpOnly: true, sameSite: 'strict', path: '/' };
const MAX_AGE_MS = SESSION_DAYS * 86_400_000;

/** The name contains the port, since cookies ignore ports: two daemons would overwrite each other's cookie. */
export function sessionCookieName(port: number | undefined): string {
  return `robot-session-${port}`;
}

/** The session secret in a request's cookie; null: none. */
export function secretOf({ headers: { cookie = '' }, socket }: IncomingMessage): string | null {
  const start = `${sessionCookieName(socket.localPort)}=`;
  const found = cookie.split(';').find((one) => one.trimStart().startsWith(start));
  return found === undefined ? null : found.trim().slice(start.length);
}

/** Sets the cookie, or sets it again: it lasts as long as a session that is not used. */
export function setSessionCookie(response: Response, secret: string): void {
  response.cookie(sessionCookieName(response.req.socket.localPort), secret, { ...options, maxAge: MAX_AGE_MS });
}

/** The id of the session of a page that opens its event stream, whose cookie starts again; null: it has none. */
export async function watchingSession(
  sessions: Pick<DashboardSessions, 'sessionOf'>,
  request: IncomingMessage,
  response: Response,
): Promise<string | null> {
  const secret = secretOf(request);
  const session = secret === null ? null : await sessions.sessionOf(secret);
  if (secret !== null && session?.kept) setSessionCookie(response, secret);
  return session?.id ?? null;
}

export function clearSessionCookie(response: Response): void {
  response.clearCookie(sessionCookieName(response.req.socket.localPort), options);
}

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
