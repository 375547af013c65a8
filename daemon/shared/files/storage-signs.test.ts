import { expect, test } from 'vitest';
import { storageErrorIn, storageSigns } from './storage-errors.ts';

test.each([
  // git 2.39
  ['fatal: write error: No space left on device', 'disk-full'],
  ["fatal: cannot mkdir '/data/apps/install-a/repository': Read-only file system", 'data-folder-read-only'],
  ["fatal: could not create work tree dir '/data/apps/a': Permission denied", 'data-folder-read-only'],
  // pip 23
  ["ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device: '/x'", 'disk-full'],
  ["OSError: [Errno 122] Disk quota exceeded: '/data/apps/a/envs/b/lib'", 'disk-full'],
  ["PermissionError: [Errno 13] Permission denied: '/data/apps/a/envs/b/lib'", 'data-folder-read-only'],
  ["PermissionError: [Errno 1] Operation not permitted: '/data/apps/a'", 'data-folder-read-only'],
  // uv 0.9
  ['  Caused by: failed to write to file `/data/cache/uv/x`: No space left on device (os error 28)', 'disk-full'],
  [
    '  Caused by: failed to open file `/data/cache/uv/.lock`: Read-only file system (os error 30)',
    'data-folder-read-only',
  ],
  ['  Caused by: failed to create `/data/cache/uv`: Permission denied (os error 13)', 'data-folder-read-only'],
  // Python 3.11
  ['EOFError: marshal data too short', 'disk-full'],
  // uv on Windows
  ['  Caused by: failed to write to `C:\\a`: There is not enough space on the disk. (os error 112)', 'disk-full'],
])('%s', (line, code) => {
  const lines = ['Collecting numpy', line, 'hint: see above'];
  expect(storageErrorIn(lines, '/data')).toMatchObject({ code, folder: '/data' });
  expect(storageSigns(lines, '/data')).toEqual([line]);
});

test.each([
  "PermissionError: [Errno 13] Permission denied: '/usr/lib/python3'",
  "OSError: [Errno 30] Read-only file system: '/sys/class/gpio'",
  'ModuleNotFoundError: No module named "numpy"',
  "OSError: [Errno 130] Owner died: '/data/a'",
])('another reason: %s', (line) => {
  expect(storageErrorIn([line], '/data')).toBeNull();
});
