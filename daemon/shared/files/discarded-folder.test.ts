import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { discardedOf, discardFolder, removeDiscarded } from './discarded-folder.ts';

test('a folder is out of the way at once, and removed with what was left of earlier ones', async () => {
  const root = await mkdtemp(join(tmpdir(), 'discarded-'));
  const work = join(root, 'work');
  await mkdir(join(root, 'work.discarded-0123', 'deep'), { recursive: true });
  await mkdir(join(root, 'works'));
  await mkdir(work);
  await writeFile(join(work, 'half'), '');
  await discardFolder(work);
  expect(await readdir(root)).not.toContain('work');
  expect(await discardedOf(work)).toHaveLength(2);
  await removeDiscarded(work);
  expect(await discardedOf(work)).toEqual([]);
  expect(await readdir(root)).toEqual(['works']);
  await rm(root, { recursive: true });
});

test('there need not be one', async () => {
  const work = join(tmpdir(), 'discarded-nowhere', 'work');
  await discardFolder(work);
  await removeDiscarded(work);
});
