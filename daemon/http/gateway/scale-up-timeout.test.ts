import { expect, test } from 'vitest';
import { scaleUpTimeoutMs } from './scale-up-timeout.ts';

test.each([
  [undefined, 60_000],
  ['0', 0],
  ['5', 5_000],
  ['0.25', 250],
  ['600', 600_000],
  ['86400', 600_000],
])('%s waits %s ms', (header, ms) => expect(scaleUpTimeoutMs(header)).toBe(ms));

test.each(['', '-1', '1e3', 'soon', '5s', ' 5', '5, 5', 'Infinity', '0x10'])('%j is refused', (header) => {
  expect(() => scaleUpTimeoutMs(header)).toThrow('X-Scale-Up-Timeout is a number of seconds, 0 to 600.');
});
