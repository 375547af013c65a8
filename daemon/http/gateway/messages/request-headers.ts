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
  'last-event-id', // an MCP client that goes on with a broken stream
]);
/** MCP's name session, version, method, tool and its parameters (the revisions of 2025-03-26 to 2026-07-28). */
const passesWithPrefix = /^(?:openai|x-stainless|mcp)-[a-z0-9-]+$/;

/** Whether a header, in lower case, may reach a model server. */
export function isForwarded(name: string): boolean {
  return passes.has(name) || passesWithPrefix.test(name);
}

/** Names and values, without the headers that Connection names. */
export function forwardedHeaders(headers: IncomingHttpHeaders): (readonly [name: string, value: string])[] {
  const hopByHop = new Set(headers.connection?.split(',').map((name) => name.trim().toLowerCase()));
  return Object.entries(headers).flatMap(([name, value]) => {
    const forwarded = isForwarded(name) && !hopByHop.has(name);
    return forwarded && typeof value === 'string' ? [[name, value] as const] : [];
  });
}
