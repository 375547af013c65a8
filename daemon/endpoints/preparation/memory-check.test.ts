import { expect, test } from 'vitest';
import type { GgufFacts } from '../../contract/model-files/model-files.ts';
import { leastMemoryBytes, requireMemory } from './memory-check.ts';

/** Llama 3.1 8B as Q4_K_M. */
const facts: GgufFacts = {
  ...{
    architecture: 'llama',
    name: 'Llama 3.1 8B',
    parameterCount: 8.03e9,
    contextLength: 131_072,
    fileType: 'Q4_K_M',
  },
  ...{ shape: { layers: 32, kvHeads: 8, headDim: 128 }, hasChatTemplate: true, pooling: null, isClassifier: false },
  sizeBytes: 4.92e9,
};

const cache = (ctxSize: number | null, hasOwnType = false) => ({ ctxSize, hasOwnType });

test('the least memory is that of the weights and of the context: 128 KiB a token for Llama 3.1 8B', () => {
  expect(leastMemoryBytes(facts, cache(8_192)) - facts.sizeBytes).toBe(1024 ** 3);
  expect(leastMemoryBytes(facts, cache(null)) - facts.sizeBytes).toBe(1024 ** 3 / 2);
  expect(leastMemoryBytes({ ...facts, contextLength: 512 }, cache(null)) - facts.sizeBytes).toBe(64 * 1024 ** 2);
  expect(leastMemoryBytes({ ...facts, shape: null }, cache(null))).toBe(facts.sizeBytes);
});

test('the least memory is no more than that of a small cache, nor of a model whose layers keep a short window', () => {
  expect(leastMemoryBytes(facts, cache(8_192, true)) - facts.sizeBytes).toBe((1024 ** 3 * 9) / 32);
  const gemma = { ...facts, architecture: 'gemma3' };
  expect(leastMemoryBytes(gemma, cache(8_192)) - facts.sizeBytes).toBe(1024 ** 3 / 8);
});

test('a model that cannot fit is refused with both sizes; one on a machine of unknown memory is not', () => {
  expect(() => requireMemory(7e9, 3e9)).toThrow('needs at least 7.0 GB of memory, 4.0 GB more than is available');
  requireMemory(7e9, 7e9);
  requireMemory(7e9, null);
});
