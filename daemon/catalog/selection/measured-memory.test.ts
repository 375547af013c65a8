import { describe, expect, test } from 'vitest';
import type { Recipe } from '../../contract/catalog/catalog.ts';
import { cloudOffer, machine, someModel } from '../../testing/models/some-models.ts';
import type { ModelFacts } from '../catalog-entry.ts';
import { correctedNeed, type MemoryMeasurement } from './measured-memory.ts';
import { contextThatFits, type MemoryNeed, memoryNeed, needBytes } from './memory-estimate.ts';
import { selectOffer } from './recipe-selection.ts';

const [MiB, GiB] = [1024 ** 2, 1024 ** 3];
const llamacpp: Recipe = { publicId: 'm', accelerator: 'cpu', engineType: 'llamacpp', ggufFile: 'm.gguf' };
/** The estimate for llama.cpp is 11.04 GB and 128 KiB a token: 1 GiB for 8,192. */
const facts: ModelFacts = {
  weightBytes: { m: 10e9 },
  contextLength: 131_072,
  arch: { layers: 32, kvHeads: 8, headDim: 128 },
};
const FIXED = 10.5e9 + 512 * MiB;

const used = (bytes: number, contextTokens: number | null = 8192, isProven = true): MemoryMeasurement => ({
  ...{ bytes, contextTokens, isProven },
});
const estimate = (recipe: Recipe) => memoryNeed(facts, recipe) as MemoryNeed;
const corrected = (...measurements: readonly MemoryMeasurement[]) =>
  correctedNeed(estimate(llamacpp), facts, llamacpp, measurements);
const needed = (need: MemoryNeed) => [8192, 16_384, 131_072].map((tokens) => needBytes(need, 1, tokens));

test('without measurements, and with those of another context by choice of the engine, the estimate stays', () => {
  const asEstimated = [FIXED + GiB, FIXED + 2 * GiB, FIXED + 16 * GiB];
  expect(needed(corrected())).toEqual(asEstimated);
  expect(needed(corrected(used(50e9, null), used(1e9, null)))).toEqual(asEstimated);
});

describe('more than the estimate', () => {
  test('raises it by the difference at once', () => {
    expect(needed(corrected(used(13e9, 8192, false)))).toEqual([13e9, 13e9 + GiB, 13e9 + 15 * GiB]);
  });

  test('outweighs what lowers it', () => {
    expect(needed(corrected(used(10.5e9), used(14e9, 16_384))).slice(0, 2)).toEqual([14e9 - GiB, 14e9]);
  });
});

describe('less than the estimate', () => {
  test('lowers it to a tenth more, beyond that context by the estimate for each token', () => {
    expect(needed(corrected(used(10.2e9)))).toEqual([11.22e9, 11.22e9 + GiB, 11.22e9 + 15 * GiB]);
  });

  test('of a long context says nothing of a short one that is estimated lower', () => {
    const need = corrected(used(20e9, 131_072));
    expect(needed(need)).toEqual([FIXED + GiB, FIXED + 2 * GiB, 22e9]);
    expect([contextThatFits(facts, estimate(llamacpp), 23e9), contextThatFits(facts, need, 23e9)]).toEqual([
      32_768, 131_072,
    ]);
  });

  test('counts only after requests', () => {
    expect(corrected(used(10.2e9, 8192, false))).toEqual(estimate(llamacpp));
  });

  test('is never below the weights: a system may have given back pages of the file', () => {
    expect(needed(corrected(used(1e9)))[0]).toBe(10e9);
  });

  test('has at least 256 MiB added', () => {
    const small = { weightBytes: { m: 1e8 } };
    const need = correctedNeed(memoryNeed(small, llamacpp) as MemoryNeed, small, llamacpp, [used(3e8)]);
    expect(needBytes(need, 1)).toBe(3e8 + 256 * MiB);
  });
});

test('TEI has no cache, and vLLM fills all the memory that it is given with one', () => {
  const ofEngine = (engineType: 'tei' | 'vllm', measured: MemoryMeasurement) => {
    const recipe = { ...llamacpp, engineType };
    return needBytes(correctedNeed(estimate(recipe), facts, recipe, [measured]), 1);
  };
  expect(ofEngine('tei', used(15e9, null))).toBe(15e9);
  expect(ofEngine('tei', used(10.1e9, null))).toBe(11.11e9);
  expect(ofEngine('vllm', used(50e9, null))).toBe(needBytes(estimate({ ...llamacpp, engineType: 'vllm' }), 1));
});

test('a measurement of this machine corrects what is needed here, and nowhere else', () => {
  const entry = someModel({ recipes: [llamacpp] }, facts);
  const rented = cloudOffer({ accelerator: 'cpu', capacityBytes: machine.capacityBytes });
  const asked: string[] = [];
  const measured = {
    of: (repoId: string, { publicId }: Recipe) => {
      asked.push(`${repoId} ${publicId}`);
      return [used(21e9)];
    },
  };
  expect(selectOffer(entry, llamacpp, [machine, rented], measured)).toMatchObject({
    offer: { id: rented.id },
    needBytes: FIXED + GiB,
    considered: [
      { offer: { id: rented.id }, reason: 'fits' },
      { offer: { id: machine.id }, reason: 'too-small', needBytes: 21e9 },
    ],
  });
  expect(new Set(asked)).toEqual(new Set(['someone/m m']));
});
