import { expect, test } from 'vitest';
import { newestWithin, oldestWithin } from './line-selection.ts';

const lines = ['aaa', 'bb', '', 'cccc'].map((text) => ({ text }));
const texts = (kept: readonly { text: string }[]) => kept.map(({ text }) => text);

test.each([
  [0, ['aaa']],
  [3, ['aaa']],
  [4, ['aaa']],
  [5, ['aaa', 'bb', '']],
  [9, ['aaa', 'bb', '', 'cccc']],
])('the oldest lines within %i characters, at least one', (characters, expected) => {
  expect(texts(oldestWithin(lines, characters))).toEqual(expected);
});

test.each([
  [0, ['cccc']],
  [3, ['cccc']],
  [4, ['', 'cccc']],
  [6, ['bb', '', 'cccc']],
  [9, ['aaa', 'bb', '', 'cccc']],
])('the newest lines within %i characters, at least one', (characters, expected) => {
  expect(texts(newestWithin(lines, characters))).toEqual(expected);
});

test('of no lines there are none', () => {
  expect(oldestWithin([], 5)).toEqual([]);
  expect(newestWithin([], 5)).toEqual([]);
});
