import { expect, test } from 'vitest';
import { unquoted } from './folder-git.ts';

test.each([
  ['wave/main.py', 'wave/main.py'],
  ['with space/ä.txt', 'with space/ä.txt'],
  [String.raw`"a\"b\\c\td\001"`, 'a"b\\c\td\x01'],
])('%s', (printed, path) => {
  expect(unquoted(printed)).toBe(path);
});
