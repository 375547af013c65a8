import { expect, test } from 'vitest';
import { scaleUpWaits } from './gateway.ts';

test.each([
  ['0', 0],
  ['5', 5_000],
  ['0.25', 250],
  ['600', 600_000],
  ['86400', 600_000],
])('%s waits %s ms, for a start and for a turn', (header, ms) => {
  expect(scaleUpWaits(header)).toEqual({ waitMs: ms, queueMs: ms });
});

test('without it a start may take a minute, and the endpoint limits the wait for a turn', () => {
  expect(scaleUpWaits(undefined)).toEqual({ waitMs: 60_000 });
});

test.each(['', '-1', '1e3', 'soon', '5s', ' 5', '5, 5', 'Infinity', '0x10'])('%j is refused', (header) => {
  expect(() => scaleUpWaits(header)).toThrow('X-Scale-Up-Timeout is a number of seconds, 0 to 600.');
});
