import { expect, test } from 'vitest';
import { HubError } from './errors.ts';
import { checkPaths, readFileEntry } from './repository-files.ts';

const sha256 = 'b'.repeat(64);

test.each<[object, object | null]>([
  [
    { type: 'file', path: 'a/b.py', size: 5, oid: 'x' },
    { path: 'a/b.py', size: 5, sha256: null, oid: 'x' },
  ],
  [
    { type: 'file', path: 'big.bin', size: 130, lfs: { oid: sha256, size: 9_000, pointerSize: 130 } },
    { path: 'big.bin', size: 9_000, sha256 },
  ],
  [{ type: 'directory', path: 'a', size: 0 }, null],
  [{ type: 'unknown', path: 'module', size: 0 }, null],
])('%j', (entry, file) => expect(readFileEntry(entry)).toEqual(file));

test.each([{}, { type: 'file' }, { type: 'file', path: 7 }])('%j is not understood', (entry) => {
  expect(() => readFileEntry(entry)).toThrow(HubError);
});

const check =
  (...paths: string[]) =>
  () =>
    checkPaths(paths.map((path) => ({ path, size: 1, sha256: null })));

test('ordinary names are accepted', () => {
  expect(check('README.md', 'a/b/c.py', 'a/.gitignore', '.gitattributes', '...', 'a b/ü.txt', 'a.b:c')).not.toThrow();
});

test.each([
  '..',
  '../a',
  'a/..',
  'a/../b',
  './a',
  '/a',
  'a//b',
  'a/',
  '',
  'a\\b',
  'C:/a',
  'a/c:b',
  'a\nb',
  'a\0b',
  '.git/config',
  'a/.Git/b',
  '\ud800',
  'x'.repeat(2_000),
])('%.40j is refused', (path) => expect(check(path)).toThrow(HubError));

test.each([
  ['README.md', 'readme.md'],
  ['a/b', 'A/B'],
  ['\u00e9', 'e\u0301'],
  ['a', 'a/b'],
  ['a/B/c', 'A/b'],
  ['same', 'same'],
])('%j and %j cannot lie in one folder', (one, other) => expect(check(one, other)).toThrow(HubError));

test('folders may differ by case: a file system that ignores case merges them', () => {
  expect(check('a/x', 'A/y')).not.toThrow();
});
