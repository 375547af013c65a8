import type { IncomingHttpHeaders } from 'node:http';

/**
 * The headers of a caller that reach a model server, which is not trusted. A list of what passes: whatever else a caller
 * or a browser sends may be a secret, or say who and where the caller is.
 */
const passes = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'content-encoding',
  'content-language',
  'user-agent',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'range',
  'x-request-id',
  'traceparent',
  'tracestate',
  'baggage',
]);
const passesWithPrefix = /^(?:openai|x-stainless)-[a-z0-9-]+$/;

/** @returns names and values in turn, without the headers that Connection names */
export function forwardedHeaders(headers: IncomingHttpHeaders): string[] {
  const hopByHop = new Set(headers.connection?.split(',').map((name) => name.trim().toLowerCase()));
  return Object.entries(headers).flatMap(([name, value]) => {
    const forwarded = (passes.has(name) || passesWithPrefix.test(name)) && !hopByHop.has(name);
    return forwarded && typeof value === 'string' ? [name, value] : [];
  });
}
