import { expect, test } from 'vitest';
import { gpusIn } from './nvidia-gpus.ts';

const MiB = 1024 ** 2;

test('a line is a processor, its memory in MiB', () => {
  expect(gpusIn(['NVIDIA GeForce RTX 4090, 24564, 23999', 'Tesla T4, 15360, 0\r', ''])).toEqual([
    { name: 'NVIDIA GeForce RTX 4090', totalBytes: 24_564 * MiB, freeBytes: 23_999 * MiB },
    { name: 'Tesla T4', totalBytes: 15_360 * MiB, freeBytes: 0 },
  ]);
});

test('a name may have a comma', () => {
  expect(gpusIn(['Maker, Model 2, 8192, 8000'])).toMatchObject([{ name: 'Maker, Model 2' }]);
});

test.each([
  'NVIDIA GB10, [N/A], [N/A]',
  'Quadro K2000, [Not Supported], [Not Supported]',
  'No devices were found',
  'NVIDIA-SMI has failed because it could not communicate with the driver.',
  'name, memory.total [MiB], memory.free [MiB]',
  'Nothing, 0, 0',
])('a line without a memory size is ignored: %s', (line) => {
  expect(gpusIn([line])).toEqual([]);
});
