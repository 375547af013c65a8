import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { CookieOptions, Response } from 'express';

/** Hidden from scripts, and not sent by pages of other sites. Not `secure`: the daemon has no TLS. */
const options: CookieOptions = { httpOnly: true, sameSite: 'strict', path: '/' };

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

export function setSessionCookie(response: Response, secret: string): void {
  response.cookie(sessionCookieName(response.req.socket.localPort), secret, options);
}

export function clearSessionCookie(response: Response): void {
  response.clearCookie(sessionCookieName(response.req.socket.localPort), options);
}
