import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OomKillWatch, oomKills } from './oom-kills.ts';

test.each([
  ['pgfault 12\noom_kill 3\nnuma_oom_kill 9\n', 3],
  ['pgfault 12\n', null], // an older kernel
])('of %j the number of kills is %s', async (text, count) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'oom-kills-'));
  const file = join(folder.path, 'vmstat');
  await writeFile(file, text);
  expect(await oomKills(file)).toBe(count);
});

test('a system without the file does not tell', async () => {
  expect(await oomKills(join(tmpdir(), 'nothing'))).toBeNull();
});

test.skipIf(process.platform !== 'linux')('the kernel of this machine tells', async () => {
  expect(await oomKills()).toBeGreaterThanOrEqual(0);
});

test.each([
  ['at the start, and none since', [3, 3, 3, 3], false],
  ['since the last look', [3, 3, 3, 4], true],
  ['between the last two looks', [3, 3, 4, 4], true],
  ['before these', [3, 4, 4, 4], false],
  ['of which the system does not tell', [null, null, null, null], false],
  ['by a count that cannot be read any more', [3, 3, 3, null], false],
])('a kill %s', async (_, counts, isNew) => {
  const left = [...counts];
  const watch = new OomKillWatch(async () => left.shift() ?? null);
  watch.look();
  watch.look();
  expect(await watch.isNew()).toBe(isNew);
});

test('a program that ends before the first look is compared with its start', async () => {
  const left = [3, 4];
  expect(await new OomKillWatch(async () => left.shift() ?? null).isNew()).toBe(true);
});
