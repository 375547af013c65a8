import { expect, test } from 'vitest';
import { answerMayBeKept, requestMayBeCached } from './cache-rules.ts';
import type { AnswerHeaders } from './passed-headers.ts';

test.each<[boolean, string, Record<string, string>]>([
  [true, 'GET', {}],
  [true, 'POST', { accept: 'application/json', 'user-agent': 'test' }],
  [true, 'POST', { 'x-use-cache': 'true', 'cache-control': 'max-age=0' }],
  [false, 'HEAD', {}],
  [false, 'PUT', {}],
  [false, 'DELETE', {}],
  [false, 'POST', { 'x-use-cache': 'false' }],
  [false, 'POST', { 'x-use-cache': ' False' }],
  [false, 'POST', { 'x-use-cache': 'true, false' }],
  [false, 'GET', { 'cache-control': 'no-cache' }],
  [false, 'GET', { 'cache-control': 'max-age=5, no-store' }],
  [false, 'GET', { range: 'bytes=0-1' }],
  [false, 'GET', { 'if-none-match': '"1"' }],
  [false, 'GET', { 'if-modified-since': 'x' }],
  [false, 'POST', { 'idempotency-key': '1' }],
  [false, 'POST', { 'mcp-session-id': 's' }],
  [false, 'POST', { 'mcp-protocol-version': '2025-06-18' }],
  [false, 'GET', { 'last-event-id': '1' }],
])('%s: a request %s %j may be answered from the cache', (expected, method, headers) =>
  expect(requestMayBeCached({ method, headers })).toBe(expected),
);

const length = { 'content-length': '5' };
const chunked = { 'transfer-encoding': 'chunked' };
test.each<[boolean, number, AnswerHeaders]>([
  [true, 200, length],
  [true, 200, { ...length, 'content-type': 'audio/mpeg', 'content-encoding': 'gzip' }],
  [true, 200, { ...chunked, 'content-type': 'application/json; charset=utf-8' }],
  [true, 200, { ...chunked, 'content-type': 'application/problem+json' }],
  [true, 200, { ...length, 'cache-control': 'public, max-age=5' }],
  [true, 200, { ...length, vary: 'Accept-Encoding, Origin, Authorization' }],
  [false, 201, length],
  [false, 204, length],
  [false, 206, length],
  [false, 404, length],
  [false, 500, length],
  [false, 200, {}],
  [false, 200, chunked],
  [false, 200, { ...chunked, 'content-type': 'text/plain' }],
  [false, 200, { ...chunked, 'content-type': 'application/jsonlines' }],
  [false, 200, { 'content-type': 'application/json' }],
  [false, 200, { 'content-type': 'application/json', 'transfer-encoding': 'gzip, chunked' }],
  [false, 200, { ...length, 'content-type': 'text/event-stream' }],
  [false, 200, { ...length, 'content-type': 'Text/Event-Stream; charset=utf-8' }],
  [false, 200, { ...length, 'content-type': 'application/x-ndjson' }],
  [false, 200, { ...length, 'content-type': 'application/jsonl' }],
  [false, 200, { ...length, 'content-type': 'multipart/x-mixed-replace; boundary=a' }],
  [false, 200, { ...length, 'set-cookie': ['a=1'] }],
  [false, 200, { ...length, 'cache-control': 'private, max-age=5' }],
  [false, 200, { ...length, 'cache-control': ['max-age=5', 'No-Store'] }],
  [false, 200, { ...length, vary: '*' }],
  [false, 200, { ...length, vary: 'Accept, User-Agent' }],
  [false, 200, { ...length, vary: ['accept', 'x-stainless-lang'] }],
  [false, 200, { ...length, 'mcp-session-id': 's' }],
])('%s: an answer %i %j may be kept', (expected, status, headers) =>
  expect(answerMayBeKept(status, headers)).toBe(expected),
);
