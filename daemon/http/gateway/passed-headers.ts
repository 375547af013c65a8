import { type IncomingHttpHeaders, type OutgoingMessage, validateHeaderValue } from 'node:http';

/**
 * The headers of a caller that reach a model server, which is not trusted. A list of what passes: whatever else a caller
 * or a browser sends may be a secret, or say who and where the caller is.
 */
const forwarded = new Set([
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
const forwardedPrefix = /^(?:openai|x-stainless|mcp)-[a-z0-9-]+$/;

/** Whether a header, in lower case, may reach a model server. */
export function isForwarded(name: string): boolean {
  return forwarded.has(name) || forwardedPrefix.test(name);
}

/** Names and values, without the headers that Connection names. */
export function forwardedHeaders(headers: IncomingHttpHeaders): (readonly [name: string, value: string])[] {
  const hopByHop = new Set(headers.connection?.split(',').map((name) => name.trim().toLowerCase()));
  return Object.entries(headers).flatMap(([name, value]) => {
    const isPassed = isForwarded(name) && !hopByHop.has(name);
    return isPassed && typeof value === 'string' ? [[name, value] as const] : [];
  });
}

/** Headers of an answer, with lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

const MAX_HEADERS = 200;

/**
 * The headers of a model server that pass. A list of what passes, not of what is dropped: a model server is not trusted,
 * and browsers learn new headers. Without Location, since redirects do not pass.
 */
const returned = new Set([
  'content-type',
  'content-encoding',
  'content-language',
  'content-disposition',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'retry-after',
  'x-request-id',
  'mcp-session-id',
]);
/** Figures that OpenAI's and the hub's clients read. */
const returnedPrefix = /^(?:openai|x-ratelimit|x-compute|x-inference)-[a-z0-9-]+$/;

/** Copies the headers that pass. @returns the fault of the model server; null: none */
export function copyAnswerHeaders(headers: AnswerHeaders, status: number, response: OutgoingMessage): string | null {
  const names = Object.keys(headers);
  if (names.reduce((sum, name) => sum + [headers[name]].flat().length, 0) > MAX_HEADERS)
    return 'answered with too many headers';
  for (const name of names) {
    if (!returned.has(name) && !returnedPrefix.test(name)) continue;
    const value = [headers[name]].flat()[0];
    if (value !== undefined && isValid(name, value)) response.setHeader(name, value);
  }
  const length = headers['content-length'];
  const hasLength = typeof length === 'string' && /^\d{1,15}$/.test(length);
  if (hasLength && headers['transfer-encoding'] === undefined && status !== 204) {
    response.setHeader('content-length', length);
  }
  setGuardHeaders(response);
  return null;
}

/** The headers that keep an answer from acting as a page of this daemon. Set last: nothing replaces them. */
export function setGuardHeaders(response: OutgoingMessage): void {
  response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'; frame-ancestors 'none'");
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Cache-Control', 'no-store');
}

function isValid(name: string, value: string): boolean {
  try {
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
