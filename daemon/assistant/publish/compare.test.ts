import { expect, test } from 'vitest';
import type { HubFile } from '../../hub/repository-files.ts';
import { attributesToPublish, changesBetween, isNewSpace, type LocalFile, overwritten } from './compare.ts';

const never = new AbortController().signal;
const local = (path: string, text: string): LocalFile => {
  const content = new TextEncoder().encode(text);
  return { path, bytes: content.length, isExecutable: false, content };
};
/** The ids as `git hash-object` prints them. */
const ids: Readonly<Record<string, string>> = {
  one: '43dd47ea691c90a5fa7827892c70241913351963',
  two: '64c5e5885a4b06010b3a0c20edb7900dd0311025',
};
const remote = (path: string, text: string): HubFile => ({
  path,
  size: text.length,
  sha256: null,
  oid: ids[text] ?? '',
});
const large = (path: string, sha256: string): HubFile => ({ path, size: 3, sha256 });
const ONE_SHA256 = '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed';

test('files differ by their content, which is known by size and hash', async () => {
  const changes = await changesBetween(
    [local('same', 'one'), local('large', 'one'), local('changed', 'two'), local('grown', 'three'), local('new', '')],
    [
      remote('same', 'one'),
      large('large', ONE_SHA256),
      remote('changed', 'one'),
      remote('grown', 'one'),
      remote('gone', 'two'),
      remote('.gitattributes', 'one'),
    ],
    never,
  );
  expect(changes.map(({ path, change, bytes }) => [path, change, bytes])).toEqual([
    ['changed', 'changed', 3],
    ['gone', 'removed', 3],
    ['grown', 'changed', 5],
    ['new', 'added', 0],
  ]);
});

test('only what others changed and would be overwritten counts', async () => {
  const before = [remote('mine', 'one'), remote('theirs', 'one'), remote('both', 'one'), remote('dropped', 'one')];
  const now = [remote('mine', 'one'), remote('theirs', 'two'), remote('both', 'two'), remote('added', 'two')];
  const files = [local('mine', 'two'), local('theirs', 'two'), local('both', 'one'), local('dropped', 'one')];
  const changes = await changesBetween(files, now, never);
  expect(overwritten(changes, now, before)).toEqual(['added', 'both', 'dropped']);
  expect(overwritten(changes, now, null)).toEqual(['added', 'both', 'mine']);
});

test('a Space is new while it has only what the hub makes', () => {
  expect(isNewSpace([remote('.gitattributes', 'one'), remote('README.md', 'one')])).toBe(true);
  expect(isNewSpace([remote('README.md', 'one'), remote('main.py', 'one')])).toBe(false);
});

test('the lines that the hub added for large files stay', () => {
  const published =
    '*.bin filter=lfs diff=lfs merge=lfs -text\n*.md text\nicon.png filter=lfs diff=lfs merge=lfs -text\n';
  expect(attributesToPublish('*.py text', published)).toBe(
    '*.py text\n*.bin filter=lfs diff=lfs merge=lfs -text\nicon.png filter=lfs diff=lfs merge=lfs -text\n',
  );
  expect(attributesToPublish(published, published)).toBe(published);
  expect(attributesToPublish('*.py text\r\n', '')).toBe('*.py text\r\n');
});
