import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { CookieOptions, Response } from 'express';
import { type DashboardSessions, SESSION_DAYS } from '../../access/dashboard-sessions.ts';

/** Hidden from scripts, and not sent by pages of other sites. Not `secure`: the daemon has no TLS. */
const options: CookieOptions = { httpOnly: true, sameSite: 'strict', path: '/' };
const MAX_AGE_MS = SESSION_DAYS * 86_400_000;

/** The name contains the port, since cookies ignore ports: two daemons would overwrite each other's cookie. */
export function sessionCookieName(port: number | undefined): string {
  return `robot-session-${port}`;
}

/** The session secret in a request's cookie; null: none. */
export function sessionSecret({ cookie = '' }: IncomingHttpHeaders, { localPort }: Pick<Socket, 'localPort'>) {
  const start = `${sessionCookieName(localPort)}=`;
  const found = cookie.split(';').find((one) => one.trimStart().startsWith(start));
  return found === undefined ? null : found.trim().slice(start.length);
}

export const secretOf = ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string | null =>
  sessionSecret(headers, socket);

/** Sets the cookie, or sets it again: it lasts as long as a session that is not used. */
export function setSessionCookie(response: Response, secret: string): void {
  response.cookie(sessionCookieName(response.req.socket.localPort), secret, { ...options, maxAge: MAX_AGE_MS });
}

/** The id of the session of a page that opens its event stream, whose cookie begins anew; null: it has none. */
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
