import { expect, test } from 'vitest';
import {
  DataFolderReadOnly,
  DiskFull,
  StorageError,
  savingIn,
  storageError,
  storageErrorBehind,
} from './storage-errors.ts';

const errorWith = (fields: object) => Object.assign(new Error('failed'), fields);
const sentences = (error: unknown) =>
  error instanceof StorageError ? `${error.code}: ${error.message} ${error.action}` : null;

const full =
  'disk-full: The disk of /data is full. Free some space on it (remove apps or model files that you no longer need), then try again.';
const forbidden =
  'data-folder-read-only: The daemon has no right to the files in /data. Give its user the right to read and write there, then try again.';
const readOnly = 'data-folder-read-only: The disk of /data can only be read. Make it writable, then try again.';

test.each([
  [{ code: 'ENOSPC' }, DiskFull, full],
  [{ code: 'EDQUOT' }, DiskFull, full],
  [{ code: 'EFBIG' }, DiskFull, full],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, DiskFull, full],
  [{ code: 'EROFS' }, DataFolderReadOnly, readOnly],
  [{ code: 'EACCES' }, DataFolderReadOnly, forbidden],
  [{ code: 'EPERM' }, DataFolderReadOnly, forbidden],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 8 | (4 << 8) }, DataFolderReadOnly, forbidden],
])('an error of a write with %j is a sentence with the folder and one action', (fields, type, sentence) => {
  const cause = errorWith(fields);
  const error = storageError(cause, '/data');
  expect(error).toBeInstanceOf(type);
  expect(error).toMatchObject({ folder: '/data', cause });
  expect(sentences(error)).toBe(sentence);
});

test.each([{ code: 'ENOENT' }, { code: 'EMFILE' }, { code: 'ERR_SQLITE_ERROR', errcode: 5 }, {}])(
  'an error with %j stays as it is',
  async (fields) => {
    const error = errorWith(fields);
    expect(storageError(error, '/data')).toBe(error);
    await expect(savingIn('/data', () => Promise.reject(error))).rejects.toBe(error);
  },
);

const folderBehind = (error: unknown) => {
  const found = storageErrorBehind(error, '/data');
  return found && [found.code, found.folder];
};

test.each([
  ['a file of the data folder', { code: 'EACCES', path: '/data/apps/a/current.json' }, '/data/apps/a'],
  ['the data folder itself', { code: 'EROFS', path: '/data', syscall: 'mkdir' }, '/data'],
  ['the new name of a file', { code: 'EACCES', path: '/data/apps/a', dest: '/data/b' }, '/data'],
  ['a disk that can only be read', { code: 'EROFS', path: '/tmp/a', dest: '/data/apps/a' }, '/data/apps'],
])('no right to %s: the last handler names the folder', (_, fields, folder) => {
  expect(folderBehind(errorWith(fields))).toEqual(['data-folder-read-only', folder]);
});

test.each([
  ['a file of the data folder', { code: 'ENOSPC', path: '/data/jobs.json' }, '/data'],
  ['an open file', { code: 'ENOSPC', syscall: 'write' }, '/data'],
  ['a file elsewhere', { code: 'ENOSPC', path: '/tmp/a' }, '/tmp'],
  ['a folder whose name only begins like the data folder', { code: 'ENOSPC', path: '/data2/a' }, '/data2'],
])('no space for %s: the last handler names the folder', (_, fields, folder) => {
  expect(folderBehind(errorWith(fields))).toEqual(['disk-full', folder]);
});

test.each([
  ['a file of the user', { code: 'EACCES', path: '/home/ada/app' }],
  ['a file of the user that is copied', { code: 'EACCES', path: '/home/ada/app', dest: '/data/apps/app' }],
  ['a folder beside the data folder', { code: 'EACCES', path: '/data/../other' }],
  ['a program', { code: 'EACCES', path: '/data/apps/a/bin/python', syscall: 'spawn /data/apps/a/bin/python' }],
  ['a socket', { code: 'EACCES', syscall: 'listen' }],
  ['the number of watched files', { code: 'ENOSPC', path: '/data', syscall: 'watch' }],
])('an error about %s has another reason', (_, fields) => {
  expect(folderBehind(errorWith(fields))).toBeNull();
});

test('the reason may be the cause of a cause', () => {
  const inner = new Error('the record', { cause: new DiskFull('/data/endpoints') });
  expect(folderBehind(new Error('the endpoint', { cause: inner }))).toEqual(['disk-full', '/data/endpoints']);
  const circle = new Error('circle');
  circle.cause = circle;
  expect(folderBehind(circle)).toBeNull();
  expect(folderBehind('no error at all')).toBeNull();
});
