import type { IncomingHttpHeaders } from 'node:http';

/** The bearer token of a request; null where there is none. It is never looked for in the address, which gets about. */
export function bearerToken({ authorization = '' }: IncomingHttpHeaders): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null;
}
