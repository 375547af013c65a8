import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadedPackages } from './follow-run.ts';

test('the packages of compiled parts are read from the list of what a process has mapped', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'maps-'));
  const file = join(folder.path, 'maps');
  const env = '/home/ada/apps/dance/envs/1/lib/python3.12';
  const lines = [
    `7f1a-7f1b r-xp 00000000 08:01 123 ${env}/site-packages/numpy/core/_multiarray.cpython-312-x86_64-linux-gnu.so`,
    `7f1b-7f1c r--p 00001000 08:01 123 ${env}/site-packages/numpy/core/_multiarray.cpython-312-x86_64-linux-gnu.so`,
    `7f1c-7f1d r-xp 00000000 08:01 124 ${env}/site-packages/_cffi_backend.cpython-312-x86_64-linux-gnu.so`,
    `7f1d-7f1e r-xp 00000000 08:01 125 ${env}/lib-dynload/_ssl.so`,
    '7ffd-7ffe rw-p 00000000 00:00 0 [stack]',
  ];
  await writeFile(file, lines.join('\n'));
  expect(await loadedPackages(1, file)).toEqual(new Set(['numpy', '_cffi_backend']));
  expect(await loadedPackages(1, join(folder.path, 'nothing'))).toEqual(new Set());
});
