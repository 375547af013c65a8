import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { neuronDevices } from './container-runtime.ts';

/** A folder like `/dev`. */
async function devices(...names: string[]) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'neuron-devices-'));
  for (const name of names) await writeFile(join(folder.path, name), '');
  return folder;
}

test('every accelerator is named by its path, and nothing else', async () => {
  await using dev = await devices('neuron0', 'neuron1', 'neuron12', 'neuron', 'neuron0c1', 'xneuron0', 'neuron-1');
  await mkdir(join(dev.path, 'pts'));
  await writeFile(join(dev.path, 'pts', 'neuron7'), '');
  const expected = ['neuron0', 'neuron1', 'neuron12'].map((name) => join(dev.path, name));
  expect((await neuronDevices(dev.path)).sort()).toEqual(expected);
});

test('a machine without accelerators, or without such a folder, has none', async () => {
  await using dev = await devices('null', 'nvidia0');
  expect(await neuronDevices(dev.path)).toEqual([]);
  expect(await neuronDevices(join(dev.path, 'missing'))).toEqual([]);
});
