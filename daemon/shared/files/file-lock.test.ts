import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileLockWithin, takeFileLock } from './file-lock.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-lock-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('one holder at a time has the lock', () => {
  const path = join(folder, 'a');
  const lock = takeFileLock(path);
  expect(takeFileLock(path)).toBeNull();
  lock?.release();
  const next = takeFileLock(path);
  expect(next).not.toBeNull();
  next?.release();
});

test('a waiting process gets the lock once it is free, or gives up', async () => {
  const path = join(folder, 'b');
  const lock = takeFileLock(path);
  expect(await fileLockWithin(50, path)).toBeNull();
  const waiting = fileLockWithin(10_000, path);
  lock?.release();
  const got = await waiting;
  expect(got).not.toBeNull();
  got?.release();
});
