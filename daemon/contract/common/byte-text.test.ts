import { expect, test } from 'vitest';
import { byteText, byteTextOf } from './byte-text.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [640_000, '640 kB'],
  [12_400_000, '12.4 MB'],
  [38_000_000, '38 MB'],
  [123_456_789, '123 MB'],
  [1.44e9, '1.4 GB'],
  [7e9, '7.0 GB'],
  [99.96e9, '100 GB'],
  [271e9, '271 GB'],
  [2e12, '2.0 TB'],
  [2.5e15, '2500 TB'],
])('%d bytes are %s', (bytes, text) => expect(byteText(bytes)).toBe(text));

test.each([
  [12_400_000, 38_000_000, '12.4 of 38 MB'],
  [7e9, 20.4e9, '7.0 of 20.4 GB'],
  [322e6, 20e9, '0.3 of 20.0 GB'],
  [0, 2_400_000_000, '0 of 2.4 GB'],
  [2_100_000, 2_100_000_000, '2.1 MB of 2.1 GB'],
])('%d of %d bytes are %s', (part, whole, text) => expect(byteTextOf(part, whole)).toBe(text));
