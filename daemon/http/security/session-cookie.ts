import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { CookieOptions, Response } from 'express';

/** No page's script reads it, and no other site's page has it sent. There is no TLS that it could be kept to. */
const options: CookieOptions = { httpOnly: true, sameSite: 'strict', path: '/' };

/** Cookies know no ports: two daemons of one machine would overwrite each other's. */
export function sessionCookieName(port: number | undefined): string {
  return `robot-session-${port}`;
}

/** The secret of the dashboard's session that a request shows; null where it shows none. */
export function sessionSecret({ cookie = '' }: IncomingHttpHeaders, { localPort }: Pick<Socket, 'localPort'>) {
  const start = `${sessionCookieName(localPort)}=`;
  const found = cookie.split(';').find((one) => one.trimStart().startsWith(start));
  return found === undefined ? null : found.trim().slice(start.length);
}

export function setSessionCookie(response: Response, secret: string): void {
  response.cookie(sessionCookieName(response.req.socket.localPort), secret, options);
}

export function clearSessionCookie(response: Response): void {
  response.clearCookie(sessionCookieName(response.req.socket.localPort), options);
}
