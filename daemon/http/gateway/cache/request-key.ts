import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { forwardedHeaders } from '../messages/request-headers.ts';
import { changesAnswer } from './cache-rules.ts';

/**
 * Identifies a request among those whose answer is the same. A hash, so that the cache keeps no request; that of the body is
 * made on another thread.
 * @param endpoint the id of the endpoint, and the version of the settings that its answers depend on
 * @param pathAndQuery as sent
 */
export async function requestKey(
  endpoint: { readonly id: string; readonly version: string },
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  pathAndQuery: string,
  body: Buffer | null,
): Promise<string> {
  // Those that reach the model server: one that is sent and not forwarded must not stand for one that is.
  const seen = forwardedHeaders(headers)
    .filter(([name]) => changesAnswer(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const ofBody = body && Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(body))).toString('base64');
  const { id, version } = endpoint;
  return hash('sha256', JSON.stringify([id, version, method, pathAndQuery, seen, ofBody]), 'base64');
}
