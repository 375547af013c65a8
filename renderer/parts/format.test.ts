import { expect, test } from 'vitest';
import { bytes, bytesOf, parameters, timeAgo } from './format.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [640_000, '640 kB'],
  [12_420_000, '12.4 MB'],
  [38_000_000, '38 MB'],
  [2_400_000_000, '2.4 GB'],
])('%i bytes are %s', (count, text) => {
  expect(bytes(count)).toBe(text);
});

test('a part is formatted in the unit of its total', () => {
  expect(bytesOf(12_400_000, 38_000_000)).toBe('12.4 of 38 MB');
  expect(bytesOf(0, 2_400_000_000)).toBe('0 of 2.4 GB');
});

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
