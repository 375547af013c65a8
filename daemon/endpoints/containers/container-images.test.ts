import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Accelerator, EngineType } from '../../contract/catalog/catalog.ts';
import { knownEngines, readContainerImages } from './container-images.ts';
import { imageName } from './variants/image-name.ts';
import { variants } from './variants/variants.ts';

const images = await readContainerImages(join(import.meta.dirname, '../../../assets/runtimes/container-images.json'));

test('every image is a full name with the tag of a version', () => {
  for (const { image } of images.values()) {
    if (image === null) continue;
    expect(imageName(image)).toEqual({ image });
    expect(image).toMatch(/:[\w.-]*\d[\w.-]*$/);
    expect(image).not.toMatch(/latest|nightly|main/);
  }
});

test('rows name engines of the daemon, and accelerators', () => {
  const engines = [...EngineType.options, ...Object.keys(variants)].map((name) => name.toLowerCase());
  for (const row of images.keys()) {
    const [engine, accelerator] = row.split(':');
    expect(engines).toContain(engine);
    expect(Accelerator.options).toContain(accelerator);
  }
  expect([...knownEngines(images)].sort()).toEqual(
    [
      ...['llamacpp:cpu', 'llamacpp:gpu', 'sglang:gpu', 'tei:cpu', 'tei:gpu', 'tgi:cpu', 'tgi:gpu', 'tgineuron:neuron'],
      ...['vllm:cpu', 'vllm:gpu', 'vllmneuron:neuron', 'vllmomni:gpu'],
    ].sort(),
  );
});

test('the engines of the catalog’s recipes have a row each, with an image or the reason why there is none', () => {
  const used = ['llamacpp:cpu', 'llamacpp:gpu', 'vllm:gpu', 'vllmomni:gpu', 'vllmneuron:neuron', 'sglang:gpu'];
  expect([...images.keys()]).toEqual(
    expect.arrayContaining([...used, 'tei:cpu', 'tei:gpu', 'custom:cpu', 'custom:gpu']),
  );
});
