import { expect, test } from 'vitest';
import type { EndpointImage } from '../../contract/endpoints/endpoint-image.ts';
import type { EndpointModel } from '../../contract/endpoints/endpoint-model.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { memorySettings } from './memory-settings.ts';

const image: EndpointImage = {
  llamacpp: {
    url: 'engines/llamacpp:cpu',
    healthRoute: '/health',
    modelPath: '/repository/deep/m.gguf',
    ctxSize: 8192,
  },
};
const parts = partsNamed('one');
const settingsOf = (model: Partial<EndpointModel>) =>
  memorySettings({ ...parts, model: { ...parts.model, repository: 'ada/m', image, ...model } });

const asInCatalog = {
  ...{ repository: 'ada/m', revision: null, engine: 'llamacpp', file: 'deep/m.gguf' },
  ...{ contextTokens: 8192, others: null },
};

test('the settings of a deploy from the catalog are its model, its file and its context', () => {
  expect(settingsOf({})).toEqual(asInCatalog);
  expect(settingsOf({ revision: 'abc' })).toEqual({ ...asInCatalog, revision: 'abc' });
  const whole = { ...image.llamacpp, url: 'engines/llamacpp:cpu', modelPath: '/repository', variant: '*.gguf' };
  expect(settingsOf({ image: { llamacpp: { ...whole, ctxSize: 0 } } })).toEqual({
    ...asInCatalog,
    ...{ file: null, contextTokens: null },
  });
  expect(settingsOf({ image: { tei: { url: 'engines/tei:cpu', healthRoute: '/health' } } })).toEqual({
    ...asInCatalog,
    ...{ engine: 'tei', file: null, contextTokens: null },
  });
  expect(settingsOf({ image: { vLLM: { url: 'engines/vllm:cpu', tensorParallelSize: 1 } } })?.engine).toBe('vllm');
});

test.each<[string, Partial<EndpointModel>]>([
  ['arguments', { args: ['--cache-type-k', 'q4_0'] }],
  ['a command', { command: ['/bin/other'] }],
  ['a variable', { env: { LLAMA_ARG_BATCH: '1' } }],
  ['another image', { image: { llamacpp: { url: 'ghcr.io/other:1', modelPath: '/repository/deep/m.gguf' } } }],
  ['slots', { image: { llamacpp: { url: 'engines/llamacpp:cpu', modelPath: '/repository/m.gguf', nParallel: 4 } } }],
])('%s make other settings, each its own', (_what, change) => {
  const others = settingsOf(change)?.others;
  expect(others).toMatch(/^[\w-]{22}$/);
  expect(settingsOf(change)?.others).toBe(others);
  expect(settingsOf({ ...change, env: { LLAMA_ARG_MORE: '1' } })?.others).not.toBe(others);
});

test('empty arguments and the order of variables make no difference', () => {
  expect(settingsOf({ args: [], command: [], env: {} })).toEqual(asInCatalog);
  expect(settingsOf({ env: { A: '1', B: '2' } })).toEqual(settingsOf({ env: { B: '2', A: '1' } }));
});

test('the memory of a graphics card is not that of its processes', () => {
  expect(memorySettings({ ...parts, compute: { ...parts.compute, accelerator: 'gpu' } })).toBeNull();
});
