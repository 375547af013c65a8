import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cacheSize } from './folder-size.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-cache-size-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('files that others are linked to are counted apart, and links are not followed', async () => {
  const folder = await newFolder();
  const cache = join(folder, 'cache');
  await mkdir(join(cache, 'a', 'b'), { recursive: true });
  await writeFile(join(cache, 'a', 'used'), Buffer.alloc(1_000));
  await link(join(cache, 'a', 'used'), join(folder, 'environment'));
  await writeFile(join(cache, 'a', 'b', 'unused'), Buffer.alloc(200));
  await symlink('/usr', join(cache, 'usr'));
  expect(await cacheSize(cache)).toEqual({ bytes: 1_200, unlinkedBytes: 200, isComplete: true });
  expect(await cacheSize(join(folder, 'nothing'))).toEqual({ bytes: 0, unlinkedBytes: 0, isComplete: true });
});

test('the count ends at its limits', async () => {
  const folder = await newFolder();
  for (let file = 0; file < 50; file++) await writeFile(join(folder, `${file}`), 'x');
  const { bytes, isComplete } = await cacheSize(folder, { maxFiles: 10, withinMs: Number.POSITIVE_INFINITY });
  expect({ isComplete, isPart: bytes >= 10 && bytes < 50 }).toEqual({ isComplete: false, isPart: true });
  expect(await cacheSize(folder, { maxFiles: 1_000, withinMs: -1 })).toMatchObject({ isComplete: false });
});
