import { expect, test } from 'vitest';
import { forwardedAddress } from './request-sources.ts';

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['127.0.0.1, 203.0.113.5,198.51.100.7', '198.51.100.7'],
  ['198.51.100.7:4711', '198.51.100.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['10.0.0.1, [2001:db8::1]:443', '2001:db8::1'],
  ['10.0.0.1, unknown', ''],
  ['10.0.0.1,', ''],
  ['', ''],
])('X-Forwarded-For: %s says %j', (header, address) => {
  expect(forwardedAddress({ 'x-forwarded-for': header })).toBe(address);
});

test.each([
  ['for=198.51.100.7', '198.51.100.7'],
  ['for=10.0.0.1, For="[2001:db8::1]:4711";proto=https;by=203.0.113.43', '2001:db8::1'],
  ['for=10.0.0.1, proto=http;for=198.51.100.7;host=a.example', '198.51.100.7'],
  ['for=10.0.0.1, proto=http', ''],
  ['for=10.0.0.1, for=_hidden', ''],
  ['for=10.0.0.1, for=unknown', ''],
  // A client left a quote open, to hide what the proxy adds.
  ['for="10.0.0.1, for=198.51.100.7', ''],
  ['for="a, for="[2001:db8::1]"', ''],
  ['for=198.51.100.7;host="a, for=10.0.0.1"', '198.51.100.7'],
  ['for=10.0.0.1 for=198.51.100.7', ''],
  ['', ''],
])('Forwarded: %s says %j', (header, address) => {
  expect(forwardedAddress({ forwarded: header })).toBe(address);
});

test('where both headers are there and differ, neither is believed: a client could have sent one', () => {
  const standard = 'for=198.51.100.7';
  expect(forwardedAddress({ forwarded: standard, 'x-forwarded-for': '198.51.100.7' })).toBe('198.51.100.7');
  expect(forwardedAddress({ forwarded: standard, 'x-forwarded-for': '10.0.0.1' })).toBe('');
  expect(forwardedAddress({ forwarded: standard, 'x-forwarded-for': 'unknown' })).toBe('');
  expect(forwardedAddress({})).toBe('');
});
