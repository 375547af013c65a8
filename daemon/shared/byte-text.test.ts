import { expect, test } from 'vitest';
import { byteText } from './byte-text.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [640_000, '640 kB'],
  [12_400_000, '12.4 MB'],
  [38_000_000, '38 MB'],
  [123_456_789, '123 MB'],
  [1.44e9, '1.4 GB'],
  [2.5e15, '2500 TB'],
])('%d bytes are %s', (bytes, text) => expect(byteText(bytes)).toBe(text));
