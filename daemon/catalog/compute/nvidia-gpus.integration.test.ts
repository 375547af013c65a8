import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNvidiaGpus, nvidiaUsage } from './nvidia-gpus.ts';

const path = process.env['PATH'] ?? '';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gpus-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A fake nvidia-smi, since test machines have none. */
async function tool(script: string, mode = 0o755) {
  const file = join(folder, 'nvidia-smi');
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, mode);
  return { PATH: `${folder}${delimiter}${path}` };
}

test('the GPUs that the tool lists', async () => {
  const script = 'case "$*" in *memory.total,memory.free*nounits*) echo "Tesla T4, 15360, 14910";; esac';
  expect(await findNvidiaGpus(await tool(script))).toEqual([
    { name: 'Tesla T4', totalBytes: 15_360 * 1024 ** 2, freeBytes: 14_910 * 1024 ** 2 },
  ]);
});

test('no GPUs when the tool fails, hangs, is not executable or is missing', async () => {
  expect(await findNvidiaGpus(await tool('echo "Tesla T4, 15360, 14910"; exit 9'))).toEqual([]);
  expect(await findNvidiaGpus(await tool('echo "Tesla T4, 15360, 14910"; sleep 60'), 200)).toEqual([]);
  expect(await findNvidiaGpus(await tool('exit 0', 0o644))).toEqual([]);
  expect(await findNvidiaGpus({ PATH: join(folder, 'none') })).toEqual([]);
  expect(await findNvidiaGpus({})).toEqual([]);
});

test('the use of each GPU that tells its own', async () => {
  const script = (lines: string) => `case "$*" in *query-gpu=name,utilization.gpu*nounits*) printf '${lines}';; esac`;
  expect(await nvidiaUsage(await tool(script('Tesla T4, 90\\nMaker, Model 2, 20\\nNVIDIA GB10, [N/A]\\n')))).toEqual([
    { name: 'Tesla T4', percent: 90 },
    { name: 'Maker, Model 2', percent: 20 },
  ]);
  expect(await nvidiaUsage(await tool(script('[N/A]\\n')))).toEqual([]);
  expect(await nvidiaUsage(await tool('exit 9'))).toEqual([]);
  expect(await nvidiaUsage({})).toEqual([]);
});
