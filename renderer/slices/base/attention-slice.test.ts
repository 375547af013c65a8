import { beforeEach, expect, test } from 'vitest';
import { withKeys } from './attention-slice.ts';

beforeEach(() => localStorage.clear());
const stored = (): unknown => JSON.parse(localStorage.getItem('robot-desktop.dismissed') ?? 'null');

test('two pages of one browser keep what either has dismissed', () => {
  const first = withKeys('dismissed', [], ['a']);
  expect(withKeys('dismissed', [], ['b']), 'on a page that was opened before').toEqual(['a', 'b']);
  withKeys('dismissed', first, ['c']);
  expect(stored()).toEqual(['a', 'b', 'c']);
});

test('the newest 2,000 keys are kept, each once', () => {
  const many = Array.from({ length: 2_001 }, (_, index) => `key ${index}`);
  const kept = withKeys('dismissed', [], [...many, 'key 7']);
  expect(kept).toHaveLength(2_000);
  expect([kept[0], kept.at(-1)]).toEqual(['key 1', 'key 2000']);
  expect(stored()).toEqual(kept);
});

test('nothing new changes nothing', () => {
  const before = ['a'];
  expect(withKeys('dismissed', before, ['a'])).toBe(before);
  expect(stored()).toBeNull();
});
