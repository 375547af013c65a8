import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { discardedOf, discardFolder, removeDiscarded } from './discarded-folder.ts';
import { folderBytes } from './folder-size.ts';

test('a folder is renamed at once, and later removed together with earlier ones, whatever the names in it are', async () => {
  const root = await mkdtemp(join(tmpdir(), 'discarded-'));
  const work = join(root, 'work');
  await mkdir(join(root, 'work.discarded-0123', 'deep'), { recursive: true });
  await mkdir(join(root, 'works'));
  await mkdir(work);
  await writeFile(join(work, 'half'), '');
  const latin = Buffer.from(`${work}/caf\xe9`, 'latin1'); // not UTF-8
  await mkdir(latin);
  await writeFile(Buffer.concat([latin, Buffer.from('/\xff', 'latin1')]), 'four');
  expect(await folderBytes(work)).toBe(4);
  await discardFolder(work);
  expect(await readdir(root)).not.toContain('work');
  expect(await discardedOf(work)).toHaveLength(2);
  await removeDiscarded(work);
  expect(await discardedOf(work)).toEqual([]);
  expect(await readdir(root)).toEqual(['works']);
  await rm(root, { recursive: true });
});

test('the folder need not exist', async () => {
  const work = join(tmpdir(), 'discarded-nowhere', 'work');
  await discardFolder(work);
  await removeDiscarded(work);
});
