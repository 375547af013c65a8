import type { IncomingMessage } from 'node:http';
import { type AnswerHeaders, isForwarded } from './passed-headers.ts';

/** The headers of a request that may change its answer, of those that reach a model server. */
export function changesAnswer(name: string): boolean {
  return changing.has(name) || name.startsWith('openai-');
}
const changing = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'content-encoding',
  'content-language',
]);

/**
 * Whether the cache may answer a request and keep its answer. With `x-use-cache: false` it does neither: the caller wants
 * an answer of its own. Requests of MCP sessions have effects, and conditional ones want no whole answer.
 */
export function requestMayBeCached({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  if (method !== 'GET' && method !== 'POST') return false;
  if (/\bfalse\b/i.test(String(headers['x-use-cache'] ?? ''))) return false;
  if (/\bno-(?:cache|store)\b/i.test(headers['cache-control'] ?? '')) return false;
  return !Object.keys(headers).some((name) => /^(?:range$|if-|mcp-|last-event-id$|idempotency-key$)/.test(name));
}

/** Types of answers that are made while they are sent. */
const streams =
  /^(?:text\/event-stream|application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines|json-seq|stream\+json)|multipart\/)/i;
const json = /^application\/(?:[^;\s]+\+)?json\b/i;

/**
 * Whether an answer may be kept once it has arrived whole: a 200 that is the same for each caller.
 * One whose length was not known at its start is a stream, unless it is JSON, which has an end.
 * @param headers those of the model server
 */
export function answerMayBeKept(status: number, headers: AnswerHeaders): boolean {
  const headerOf = (name: string) => [headers[name] ?? []].flat().join(', ');
  const type = headerOf('content-type');
  if (status !== 200 || streams.test(type)) return false;
  if (headers['set-cookie'] !== undefined || headers['mcp-session-id'] !== undefined) return false;
  if (/\b(?:no-store|no-cache|private)\b/i.test(headerOf('cache-control'))) return false;
  if (!variesByKey(headerOf('vary'))) return false;
  const encoding = headerOf('transfer-encoding');
  return encoding === '' ? headers['content-length'] !== undefined : /^chunked$/i.test(encoding) && json.test(type);
}

/** Whether the key of the cache has all headers by which an answer varies. Those that no model server gets do not count. */
function variesByKey(vary: string): boolean {
  const names = vary.split(',').map((name) => name.trim().toLowerCase());
  return names.every((name) => name !== '*' && (changesAnswer(name) || !isForwarded(name)));
}
