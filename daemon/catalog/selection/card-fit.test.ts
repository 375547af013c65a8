import { describe, expect, test } from 'vitest';
import type { Recipe } from '../../contract/catalog/catalog.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import type { ModelFacts } from '../catalog-entry.ts';
import { type CardFit, cardFit } from './card-fit.ts';
import { type MemoryNeed, memoryNeed, needBytes } from './memory-estimate.ts';

const [MiB, GiB] = [1024 ** 2, 1024 ** 3];
const recipe: Recipe = { publicId: 'm', accelerator: 'gpu', engineType: 'llamacpp', ggufFile: 'm.gguf' };
/** 33 layers of 300 MiB of weights, 32 of them with 32 MiB of cache for 8,192 tokens; besides, 512 MiB and a twentieth. */
const facts: ModelFacts = {
  weightBytes: { m: 33 * 300 * MiB },
  contextLength: 131_072,
  arch: { layers: 32, kvHeads: 8, headDim: 128 },
};
const LAYER = 332 * MiB;
const FIXED = 0.05 * 33 * 300 * MiB + 512 * MiB;
const WHOLE = 33 * 300 * MiB + GiB + FIXED;

const placed = (freeBytes: number, hostBytes: number, of: ModelFacts = facts): CardFit =>
  cardFit(of, recipe, memoryNeed(of, recipe) as MemoryNeed, { freeBytes, hostBytes });
const layers = (...card: Parameters<typeof placed>) => placed(...card).layers?.onCard ?? null;

describe('a model', () => {
  test('is on the card if all of it fits there', () => {
    expect(placed(WHOLE, 0)).toEqual({ place: 'card', layers: { onCard: 33, all: 33 }, capacityBytes: WHOLE });
    expect(placed(Math.floor(WHOLE) - 1, 0)).toMatchObject({ place: null, layers: null });
  });

  test('is partly on it with as many layers as have room beside what it needs there anyway', () => {
    expect(placed(FIXED + 20 * LAYER, 100 * GiB)).toEqual({
      place: 'card-partly',
      layers: { onCard: 20, all: 33 },
      capacityBytes: FIXED + 20 * LAYER + 100 * GiB,
    });
    expect(layers(FIXED + 20 * LAYER - 1, 100 * GiB)).toBe(19);
    expect(layers(FIXED + LAYER, 100 * GiB)).toBe(1);
    expect(layers(FIXED + LAYER - 1, 100 * GiB)).toBeNull();
  });

  test('of which one byte is too much for the card leaves a layer out', () => {
    expect(layers(Math.floor(WHOLE) - 1, 100 * GiB)).toBe(32);
  });

  test('needs room on the machine for the other layers', () => {
    const others = FIXED + 13 * LAYER;
    expect(layers(FIXED + 20 * LAYER, others)).toBe(20);
    expect(layers(FIXED + 20 * LAYER, others - 1)).toBeNull();
  });

  test('that fits neither has the memory that is too small: of the card, or of both where even both are', () => {
    expect(placed(GiB, 2 * GiB)).toEqual({ place: null, layers: null, capacityBytes: 3 * GiB });
    expect(placed(0, 100 * GiB)).toEqual({ place: null, layers: null, capacityBytes: 0 });
  });

  test('without a known number of layers fits whole or not at all', () => {
    const { arch: _, ...unknown } = facts;
    expect(placed(20 * GiB, 0, unknown)).toEqual({ place: 'card', layers: null, capacityBytes: 20 * GiB });
    expect(placed(5 * GiB, 100 * GiB, unknown)).toEqual({ place: null, layers: null, capacityBytes: 5 * GiB });
  });

  test('is whole or not there where card and machine share their memory, which counts once', () => {
    for (const freeBytes of [0, GiB, 5 * GiB, 10 * GiB]) expect(placed(freeBytes, 0).place).toBeNull();
  });

  test('of one layer can be partly there: its output layer', () => {
    const single = { ...facts, arch: { layers: 1, kvHeads: 8, headDim: 128 } };
    expect(placed(8 * GiB, 100 * GiB, single)).toMatchObject({ layers: { onCard: 1, all: 2 } });
  });
});

test('with more free memory it is never fewer layers, never more than all, and each side holds its part', () => {
  const random = seededRandom(20_261_128);
  const size = () => Math.round(1e7 * 20_000 ** random());
  const places = new Set<CardFit['place']>();
  for (let turn = 0; turn < 5_000; turn++) {
    const arch = { layers: 1 + Math.floor(80 * random()), kvHeads: 8, headDim: 128 };
    const weights = size();
    const of: ModelFacts = { weightBytes: { m: weights }, ...(random() < 0.9 && { arch }) };
    const need = memoryNeed(of, recipe) as MemoryNeed;
    const [freeBytes, hostBytes] = [size(), size()];
    const { place, layers: before } = placed(freeBytes, hostBytes, of);
    places.add(place);
    const after = placed(freeBytes * (1 + random()), hostBytes * (1 + random()), of);
    expect(after.layers?.onCard ?? 0).toBeGreaterThanOrEqual(before?.onCard ?? 0);
    if (place !== null) expect(after.place).not.toBeNull();
    if (place === 'card') expect(after.place).toBe('card');
    if (place === 'card') expect(needBytes(need, 1)).toBeLessThanOrEqual(freeBytes);
    if (place !== 'card-partly' || before === null) continue;
    const { onCard, all } = before;
    expect(all).toBe(arch.layers + 1);
    expect(onCard).toBeGreaterThanOrEqual(1);
    expect(onCard).toBeLessThan(all);
    expect(needBytes(need, 1)).toBeLessThanOrEqual(freeBytes + hostBytes);
    expect((onCard * weights) / all).toBeLessThanOrEqual(freeBytes);
    expect(((all - onCard) * weights) / all).toBeLessThanOrEqual(hostBytes);
  }
  expect(places.size).toBe(3);
});
