import { expect, test } from 'vitest';
import { requestKey } from './response-cache.ts';

interface Asked {
  readonly name?: string;
  readonly version?: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: readonly string[];
}

const keyOf = ({ name = 'chat', version = '1', method = 'POST', path = '/v1', headers = {}, body = [] }: Asked) =>
  requestKey({ id: name, version }, { method, headers }, path, body.length === 0 ? null : Buffer.from(body.join('')));

test.each<[Asked, Asked]>([
  [{ body: ['{"a":1}'] }, { body: ['{"a"', ':1}'] }],
  [{ headers: { accept: 'a', 'content-type': 'b' } }, { headers: { 'content-type': 'b', accept: 'a' } }],
  [{}, { headers: { 'user-agent': 'x', 'x-request-id': '1', traceparent: '2', 'x-stainless-retry-count': '1' } }],
  [{}, { headers: { authorization: 'Bearer x', cookie: 'a=1', 'x-forwarded-for': '1.2.3.4' } }],
  [{}, { headers: { accept: 'a', connection: 'accept' } }],
])('%j is the same request as %j', async (one, other) => expect(await keyOf(one)).toBe(await keyOf(other)));

test.each<[Asked, Asked]>([
  [{}, { name: 'other' }],
  [{}, { version: '2' }],
  [{}, { method: 'GET' }],
  [{}, { path: '/v1?' }],
  [{ path: '/a?b=1&c=2' }, { path: '/a?c=2&b=1' }],
  [{ path: '/a%2Fb' }, { path: '/a/b' }],
  [{}, { body: ['x'] }],
  [{ body: ['{"seed":1}'] }, { body: ['{"seed":2}'] }],
  [{}, { headers: { accept: 'text/plain' } }],
  [{ headers: { 'accept-encoding': 'gzip' } }, { headers: { 'accept-encoding': 'br' } }],
  [{ headers: { accept: 'a' } }, { headers: { accept: 'a', connection: 'accept' } }],
  [{}, { headers: { 'content-type': 'application/json' } }],
  [{}, { headers: { 'openai-beta': 'x' } }],
])('%j is another request than %j', async (one, other) => expect(await keyOf(one)).not.toBe(await keyOf(other)));
