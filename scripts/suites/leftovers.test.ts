import { watch } from 'node:fs';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test, vi } from 'vitest';
import { watchLeftovers } from './leftovers.ts';

const SOON_MS = 50;
const mayMount = process.platform === 'linux' && process.getuid?.() === 0;

test('the folder of a file that never ends its watch goes with the next file or the worker, and no folder lies in another', async () => {
  vi.resetModules(); // the watch over this file is of the other module
  const { watchTestFile } = await import('./leftovers.ts');
  const outer = tmpdir();
  const dropped: (() => void)[] = [];
  const atWorkersEnd = (drop: () => void) => void dropped.push(drop);
  watchTestFile(atWorkersEnd);
  const skipped = tmpdir();
  await writeFile(join(skipped, 'made-while-loading'), '');
  const next = watchTestFile(atWorkersEnd);
  expect(dirname(tmpdir())).toBe(outer);
  await expect(access(skipped)).rejects.toThrow('ENOENT');
  expect(await next.end()).toEqual([]);
  expect(tmpdir()).toBe(outer);

  watchTestFile(atWorkersEnd);
  const last = tmpdir();
  for (const drop of dropped) drop();
  await expect(access(last)).rejects.toThrow('ENOENT');
  expect(tmpdir()).toBe(outer);
});

test('a watched file is found', async () => {
  const leftovers = watchLeftovers(['FSEventWrap'], SOON_MS);
  const watcher = watch(tmpdir());
  expect(await leftovers.end()).toEqual(['1 × watched file']);
  watcher.close();
});

test.runIf(process.platform === 'linux')('a process whose parent has ended is found', async () => {
  const leftovers = watchLeftovers([], SOON_MS);
  // During its exec, no environment can be read, by which it is found.
  const sleeps = 'sleep 60 >/dev/null 2>&1 & until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done; echo $!';
  const { stdout: pid } = await execa('sh', ['-c', sleeps]);
  expect(await leftovers.end()).toEqual(['the process sleep 60']);
  process.kill(Number(pid));
});

test.runIf(mayMount)('a mounted disk that is left is named, though its folder cannot be removed', async () => {
  const leftovers = watchLeftovers([], SOON_MS);
  const disk = join(tmpdir(), 'disk');
  await mkdir(disk);
  await execa('mount', ['-t', 'tmpfs', 'tmpfs', disk]);
  try {
    expect(await leftovers.end()).toEqual(['disk', expect.stringMatching(/which cannot be removed \(.*busy/)]);
  } finally {
    await execa('umount', [disk]);
    await rm(dirname(disk), { recursive: true });
  }
});
