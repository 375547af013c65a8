import { expect, test } from 'vitest';
import { attentionDot } from './attention-dot.ts';

test('it is a filled circle with nothing in its corners', () => {
  const size = 8;
  const bitmap = attentionDot(size);
  const rows = Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => (bitmap[4 * (y * size + x) + 3] === 0xff ? '#' : '.')).join(''),
  );
  expect(rows).toEqual([
    '........',
    '..####..',
    '.######.',
    '.######.',
    '.######.',
    '.######.',
    '..####..',
    '........',
  ]);
  expect([...bitmap.subarray(4 * (4 * size + 4), 4 * (4 * size + 4) + 4)]).toEqual([0x1e, 0x26, 0xb3, 0xff]);
});
