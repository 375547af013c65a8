import type { IncomingHttpHeaders } from 'node:http';

/** The bearer token of a request; null: none. Never read from the address, which ends up in logs and histories. */
export function bearerToken({ authorization = '' }: IncomingHttpHeaders): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null;
}
