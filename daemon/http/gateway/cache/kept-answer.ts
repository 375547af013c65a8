import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Clock } from '../../../shared/clock.ts';
import { setGuardHeaders } from '../messages/response-headers.ts';

/** A whole answer with the status 200. */
export interface KeptAnswer {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** The headers that belong to the body. Others, such as times and limits, are those of one request. */
const KEPT = [
  ...['content-type', 'content-encoding', 'content-language', 'content-disposition'],
  ...['etag', 'last-modified'],
];

/** The headers of an answer that are kept with it. */
export function keptHeaders(response: Pick<ServerResponse, 'getHeader'>): KeptAnswer['headers'] {
  return KEPT.flatMap((name) => {
    const value = response.getHeader(name);
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
}

/** Sends a kept answer. A caller that has not read it within the limit loses its connection. */
export async function sendKept(
  clock: Clock,
  { headers, body }: KeptAnswer,
  response: ServerResponse,
  limitMs: number,
): Promise<void> {
  for (const [name, value] of headers) response.setHeader(name, value);
  setGuardHeaders(response);
  response.setHeader('X-Cache', 'HIT');
  response.setHeader('Content-Length', body.length);
  response.end(body);
  if (response.writableLength === 0) return;
  await finished(response, { signal: clock.timeout(limitMs) }).catch(() => response.destroy());
}
