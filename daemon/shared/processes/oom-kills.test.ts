import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { oomKills } from './oom-kills.ts';

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
