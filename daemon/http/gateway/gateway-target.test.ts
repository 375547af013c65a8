import { expect, test } from 'vitest';
import { isGatewayUrl } from '../requests/operation-paths.ts';
import { GatewayRefusal } from './gateway-refusal.ts';
import { gatewayTarget } from './gateway-target.ts';

test.each([
  ['/endpoints/lab/chat', '/'],
  ['/endpoints/lab/chat?a=/../b', '/?a=/../b'],
  ['/endpoints/lab/chat/', '/'],
  ['/endpoints/lab/chat//v1//models/', '//v1//models/'],
  ['/endpoints/lab/chat/v1/models/owner%2Fname?q=%20%zz', '/v1/models/owner%2Fname?q=%20%zz'],
  ['/endpoints/lab/chat/...', '/...'],
  ['/endpoints/lab/chat/%252e%252e/x', '/%252e%252e/x'],
])('%s is forwarded as %s', (url, pathAndQuery) => {
  expect(isGatewayUrl(url)).toBe(true);
  expect(gatewayTarget(url)).toMatchObject({ namespace: 'lab', name: 'chat', pathAndQuery });
});

test.each([
  '/endpoints',
  '/endpoints/',
  '/endpoints/lab',
  '/endpoints/lab/',
  '/endpoints//chat',
  '/endpoints/lab%2Fchat',
  '/endpoints/lab/ch%61t/',
  '/endpoints/Lab/chat',
  '/endpoints/lab/../chat',
  '/endpoints/lab/chat#x',
  '/endpoints/lab/chat/x#y',
  '/endpoints?/lab/chat',
])('%s names no endpoint', (url) => {
  expect(isGatewayUrl(url)).toBe(true);
  expect(() => gatewayTarget(url)).toThrow(
    new GatewayRefusal('not-found', 'The address of an endpoint is /endpoints/<namespace>/<name>.'),
  );
});

test.each([
  '/endpoints/lab/chat/..',
  '/endpoints/lab/chat/./x',
  '/endpoints/lab/chat/../../api/apps/list',
  '/endpoints/lab/chat/%2e%2E/other/v1',
  '/endpoints/lab/chat/.%2e/x',
  '/endpoints/lab/chat/x%2f..%2fy',
  '/endpoints/lab/chat/x%5C..',
  '/endpoints/lab/chat/..\\x',
  '/endpoints/lab/chat/..;a=b/x',
])('%s is refused', (url) => {
  expect(() => gatewayTarget(url)).toThrow('may not contain the segments . and ..');
});

test.each([
  '/',
  '/api/endpoints',
  '/endpointsx',
  '//endpoints/lab/chat',
  '/Endpoints/lab/chat',
  'http://x/endpoints/a/b',
  '/%65ndpoints/a/b',
])('%s is not for the gateway', (url) => expect(isGatewayUrl(url)).toBe(false));
