import { describe, expect, test } from 'vitest';
import type { Recipe } from '../../contract/catalog/catalog.ts';
import type { ModelFacts } from '../catalog-entry.ts';
import { contextThatFits, memoryNeed, needBytes, weightBytes } from './memory-estimate.ts';

const MiB = 1024 ** 2;
const GiB = 1024 ** 3;
const recipe = (change: Partial<Recipe>): Recipe => ({
  publicId: 'm',
  accelerator: 'gpu',
  engineType: 'vllm',
  ...change,
});
const gguf = (ggufFile: string) => recipe({ engineType: 'llamacpp', ggufFile });
/** 128 KiB a token: 1 GiB at 8192. */
const arch = { layers: 32, kvHeads: 8, headDim: 128 };
const facts = (known: Partial<ModelFacts>): ModelFacts => ({ weightBytes: { m: 10e9 }, ...known });
const need = (known: Partial<ModelFacts>, one: Recipe, numAccelerators = 1) => {
  const memory = memoryNeed(facts(known), one);
  return memory && needBytes(memory, numAccelerators);
};

describe('weights', () => {
  const eightB = { weightBytes: {}, parameterCount: 8e9 };

  test('are the size of the file if known', () => {
    expect(weightBytes(facts({ parameterCount: 8e9, nativeDtype: 'f32' }), recipe({}))).toBe(10e9);
  });

  test.each([
    ['model-Q4_K_M.gguf', 4.89e9],
    ['folder/model.q8_0.gguf', 8.5e9],
    ['model-bf16.gguf', 16e9],
    ['model-F32-00001-of-00002.gguf', 32e9],
    ['gpt-mxfp4-00001-of-00003.gguf', 4.6e9],
    ['model-q4.gguf', null],
    ['model.gguf', null],
  ])('of %s follow from the bits of its kind', (file, bytes) => {
    expect(weightBytes(eightB, gguf(file))).toBe(bytes);
  });

  test.each([
    ['bf16', 16e9],
    ['f32', 32e9],
    ['mxfp4', 5.3e9],
    ['int3', null],
  ])('of type %s follow from its bits', (nativeDtype, bytes) => {
    expect(weightBytes({ ...eightB, nativeDtype }, recipe({}))).toBe(bytes);
  });

  test('are unknown without any facts', () => {
    expect(weightBytes({ weightBytes: {}, nativeDtype: 'bf16' }, recipe({}))).toBeNull();
    expect(memoryNeed({ weightBytes: {} }, recipe({}))).toBeNull();
  });
});

describe('the memory of a recipe', () => {
  test('with llama.cpp: its graph and its overhead', () => {
    expect(need({ arch }, gguf('m'))).toBe(10e9 + 0.5e9 + 512 * MiB + GiB);
    expect(need({ weightBytes: { m: 1e9 } }, gguf('m'))).toBe(1e9 + 768 * MiB);
  });

  test('with a vision file: its size too, at most that of the model', () => {
    const without = need({}, gguf('m')) ?? 0;
    expect(need({ mmprojFile: 'eyes.gguf' }, gguf('m'))).toBe(without + 1.4e9);
    expect(need({ weightBytes: { m: 4e8 }, mmprojFile: 'eyes.gguf' }, gguf('m'))).toBe(8e8 + 768 * MiB);
  });

  test.each(['vllm', 'sglang', 'vllmOmni', 'vllmNeuron'] as const)('with %s: 1.5 GiB on each accelerator', (engine) => {
    expect(need({ arch }, recipe({ engineType: engine }), 4)).toBe(10.5e9 + GiB + 6 * GiB);
  });

  test.each(['tei', 'custom'] as const)('with %s: 16-bit weights count twice on a CPU', (engineType) => {
    expect(need({ arch, nativeDtype: 'f16' }, recipe({ engineType }))).toBe(12e9 + 512 * MiB);
    expect(need({ nativeDtype: 'f16' }, recipe({ engineType, accelerator: 'cpu' }))).toBe(24e9 + 512 * MiB);
    expect(need({ nativeDtype: 'f32' }, recipe({ engineType, accelerator: 'cpu' }))).toBe(12e9 + 512 * MiB);
  });

  test('with a model’s short context: that context', () => {
    expect((need({ arch }, recipe({})) ?? 0) - (need({ arch, contextLength: 4096 }, recipe({})) ?? 0)).toBe(GiB / 2);
  });
});

describe('the longest context that fits', () => {
  const context = (contextLength: number, roomForTokens: number) => {
    const known = facts({ arch, contextLength });
    const memory = memoryNeed(known, gguf('m'));
    return memory && contextThatFits(known, memory, memory.fixedBytes + roomForTokens * memory.bytesPerToken);
  };

  test.each([
    [40_960, 40_960, 40_960],
    [40_960, 40_959, 32_768],
    [131_072, 32_767, 16_384],
    [131_072, 8192, 8192],
    [10_000, 9999, 8192],
    [2048, 1e6, 2048],
  ])('of a model that knows %i tokens, with room for %i, is %i', (known, room, tokens) => {
    expect(context(known, room)).toBe(tokens);
  });

  test('is left to the engine when a token’s size or the model’s context is unknown', () => {
    for (const known of [facts({ arch }), facts({ contextLength: 512 })]) {
      const memory = memoryNeed(known, gguf('m'));
      expect(memory && contextThatFits(known, memory, 1e12)).toBeNull();
    }
  });
});
