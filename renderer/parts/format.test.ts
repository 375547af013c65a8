import { expect, test } from 'vitest';
import { duration, parameters, timeAgo } from './format.ts';

const day = 24 * 60 * 60_000;
test.each([
  [9_000, 'just now'],
  [90_000, '1 min ago'],
  [day, 'yesterday'],
  [59 * day, '59 days ago'],
  [324 * day, '10 months ago'],
  [800 * day, '2 years ago'],
])('%i ms are %s', (milliseconds, text) => {
  expect(timeAgo(milliseconds)).toBe(text);
});

test.each([
  [22_700_000, '22.7M'],
  [137_000_000, '137M'],
  [8_190_735_360, '8.2B'],
  [70_553_706_496, '70.6B'],
  [235_000_000_000, '235B'],
])('%i parameters are %s', (count, text) => {
  expect(parameters(count)).toBe(text);
});

test.each([
  [0, '0.0 s'],
  [0.4, '1 ms'],
  [42, '42 ms'],
  [100, '0.1 s'],
  [42_000, '42 s'],
  [185_000, '3 min 5 s'],
])('%f ms last %s', (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text);
});
