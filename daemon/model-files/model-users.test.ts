import { expect, test } from 'vitest';
import { usersOf } from './model-inventory.ts';

const commit = 'a'.repeat(40);
const later = 'b'.repeat(40);
const file = { repository: 'ada/m', commit, path: 'q4.gguf' };
const user = (endpoint: string, revision: string | null, files: string[] | 'all' = ['q4.gguf']) => ({
  endpoint,
  repository: 'ada/m',
  revision,
  files,
});

test('a file is used by the endpoints of its repository and commit that want it', () => {
  const users = [
    user('pinned', commit),
    user('elsewhere', later),
    user('pattern', commit, ['*q4*']),
    user('other-file', commit, ['q8.gguf']),
    { ...user('other-repository', commit), repository: 'bob/m' },
  ];
  expect(usersOf(file, users, {})).toEqual(['pattern', 'pinned']);
});

test('an endpoint in a container uses every file of its repository, and the repository as a whole', () => {
  const users = [user('container', commit, 'all'), user('pattern', commit, ['*'])];
  expect(usersOf(file, users, {})).toEqual(['container', 'pattern']);
  expect(usersOf({ ...file, path: '.' }, users, {})).toEqual(['container']);
});

test('a branch uses the commit that it was last; until that is known, every commit', () => {
  const users = [user('main', null), user('dev', 'dev')];
  expect(usersOf(file, users, {})).toEqual(['dev', 'main']);
  expect(usersOf(file, users, { '': later, dev: commit })).toEqual(['dev']);
});
