import { expect, test } from 'vitest';
import type { Caller } from '../../access/caller.ts';
import { RequestSources, type Sent } from './request-sources.ts';

const callerOf = (kind: Caller['kind']): Caller => ({ kind, id: 'a', name: 'a', scopes: [], namespaces: null });
const sent = (remoteAddress: string, headers: Sent['headers'] = {}) =>
  ({ headers, socket: { remoteAddress, localAddress: '192.0.2.1' } }) as Sent;
const open = { requireToken: false, behindProxy: null };

test('a request for an endpoint has the rights of this machine only with a known caller, where all need a token', () => {
  const rights = (rules: typeof open, request: Sent) => {
    const sources = new RequestSources(rules);
    return [null, callerOf('token'), callerOf('run')].map((caller) => sources.hasRightsOfHere(request, caller));
  };
  expect(rights(open, sent('127.0.0.1'))).toEqual([true, true, true]);
  expect(rights({ ...open, requireToken: true }, sent('127.0.0.1'))).toEqual([false, true, true]);
  expect(rights(open, sent('127.0.0.1', { forwarded: 'for=10.0.0.1' }))).toEqual([false, false, false]);
  expect(rights(open, sent('192.0.2.7'))).toEqual([false, false, false]);
});

test('beside a proxy at the same address, only a run, a command and the window have the rights of this machine', () => {
  const sources = new RequestSources({ requireToken: false, behindProxy: '127.0.0.1' });
  for (const caller of [null, callerOf('token'), callerOf('session')])
    expect(sources.hasRightsOfHere(sent('127.0.0.1'), caller)).toBe(false);
  for (const caller of [callerOf('run'), callerOf('terminal'), { ...callerOf('session'), isWindow: true } as const]) {
    expect(sources.hasRightsOfHere(sent('127.0.0.1'), caller)).toBe(true);
    expect(sources.hasRightsOfHere(sent('127.0.0.1', { via: '1.1 a' }), caller)).toBe(false);
    expect(sources.hasRightsOfHere(sent('192.0.2.7'), caller)).toBe(false);
  }
});

test('the address that a header says is believed of the named proxy only', () => {
  const headers = { 'x-forwarded-for': '203.0.113.5, 198.51.100.7' };
  const sources = new RequestSources({ requireToken: false, behindProxy: '192.0.2.7' });
  expect(sources.addressOf(sent('::ffff:192.0.2.7', headers))).toBe('198.51.100.7');
  expect(sources.addressOf(sent('192.0.2.7'))).toBe('');
  for (const peer of ['127.0.0.1', '192.0.2.8']) expect(sources.addressOf(sent(peer, headers))).toBe(peer);
  expect(new RequestSources(open).addressOf(sent('192.0.2.7', headers))).toBe('192.0.2.7');
});
