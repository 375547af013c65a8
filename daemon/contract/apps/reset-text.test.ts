import { expect, test } from 'vitest';
import { contentsText } from './reset-text.ts';

test.each([
  [{ files: 3, bytes: 1_200_000, variables: ['A', 'B'] }, '3 files, 1.2 MB, and 2 variables'],
  [{ files: 1, bytes: 640_000, variables: [] }, '1 file, 640 kB'],
  [{ files: 100_000, bytes: 1_200_000, more: true as const, variables: [] }, 'more than 100000 files, over 1.2 MB'],
  [{ files: 0, bytes: 0, variables: ['A'] }, '1 variable'],
  [{ files: 0, bytes: 0, variables: [] }, null],
])('what an app has is counted in words: %j', (contents, text) => {
  expect(contentsText(contents)).toBe(text);
});
