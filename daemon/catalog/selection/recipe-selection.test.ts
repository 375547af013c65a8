import { describe, expect, test } from 'vitest';
import type { Recipe } from '../../contract/catalog/catalog.ts';
import { cardWith, cloudOffer, graphicsCard, machine, someModel } from '../../testing/models/some-models.ts';
import type { CatalogEntry, ModelFacts } from '../catalog-entry.ts';
import type { ComputeOffer } from '../compute/compute-offer.ts';
import { selectOffer, selectRecipe } from './recipe-selection.ts';
import type { Selection } from './selection.ts';

const gpu = (id: string, change: Partial<ComputeOffer> = {}) =>
  cloudOffer({ id, capacityBytes: 40e9, pricePerHour: 1, ...change });
const onGpus = (numAccelerators: number) => ({
  numAccelerators,
  quota: { maxAccelerators: numAccelerators, usedAccelerators: 0 },
});

const vllm: Recipe = { publicId: 'm--vllm-gpu', accelerator: 'gpu', engineType: 'vllm' };
const tei: Recipe = { publicId: 'm--tei-cpu', accelerator: 'cpu', engineType: 'tei' };
const gguf = (ggufFile: string, accelerator: 'cpu' | 'gpu' = 'cpu'): Recipe => ({
  publicId: `m--llamacpp-${accelerator}-${ggufFile}`,
  accelerator,
  engineType: 'llamacpp',
  ggufFile,
});
const [q4, q8, f16] = [gguf('q4.gguf'), gguf('q8.gguf'), gguf('f16.gguf')];

function entry(recipes: readonly Recipe[], weights: readonly number[], facts: Partial<ModelFacts> = {}): CatalogEntry {
  const weightBytes = Object.fromEntries(recipes.map(({ publicId }, index) => [publicId, weights[index] ?? 1e9]));
  return someModel({ recipes: [...recipes] }, { parameterCount: 8e9, contextLength: 4096, weightBytes, ...facts });
}

const choose = (one: CatalogEntry, offers: readonly ComputeOffer[], wanted = {}) => selectRecipe(one, wanted, offers);
const chosen = (selection: Selection) =>
  selection.outcome === 'chosen' ? [selection.recipe.publicId, selection.offer.id] : selection.outcome;
const reasons = (selection: Selection) =>
  selection.outcome === 'no-recipe' ? [] : selection.considered.map(({ reason }) => reason);

describe('which recipe', () => {
  test('a large model prefers a GPU, a small one the CPU, unless its engine is made for GPUs', () => {
    const both = [gguf('q4.gguf', 'gpu'), q4];
    const free = gpu('g', { pricePerHour: 0 });
    expect(chosen(choose(entry(both, []), [machine, free]))).toEqual([both[0]?.publicId, 'g']);
    const small = { parameterCount: 999e6 };
    expect(chosen(choose(entry(both, [], small), [machine, free]))).toEqual([q4.publicId, machine.id]);
    expect(chosen(choose(entry([vllm, tei], [], small), [{ ...machine, engines: null }, free]))).toEqual([
      vllm.publicId,
      'g',
    ]);
  });

  test('a machine that costs nothing comes before one that does, whatever the accelerator, if it fits', () => {
    const both = entry([gguf('q4.gguf', 'gpu'), q4, vllm], [5e9, 5e9, 10e9]);
    expect(chosen(choose(both, [machine, gpu('g')]))).toEqual([q4.publicId, machine.id]);
    expect(chosen(choose(both, [{ ...machine, capacityBytes: 6e9 }, gpu('g')]))).toEqual([q4.publicId, machine.id]);
    const [onGpu] = both.item.recipes;
    expect(chosen(choose(both, [{ ...machine, capacityBytes: 4e9 }, gpu('g')]))).toEqual([onGpu?.publicId, 'g']);
    expect(chosen(choose(both, [machine, gpu('g')], { accelerator: 'gpu' }))).toEqual([onGpu?.publicId, 'g']);
  });

  test('a rented machine has no other programs: the highest precision that fits', () => {
    const precisions = entry([gguf('q4.gguf', 'gpu'), gguf('q8.gguf', 'gpu')], [5e9, 8.5e9]);
    const on = (pricePerHour: number) =>
      chosen(choose(precisions, [gpu('g', { capacityBytes: 10e9, pricePerHour })]))[0];
    expect([on(1), on(0)]).toEqual(['m--llamacpp-gpu-q8.gguf', 'm--llamacpp-gpu-q4.gguf']);
  });

  test('llama.cpp comes first, then the usual engine for the task', () => {
    const both = entry([gguf('q4.gguf', 'gpu'), vllm], []);
    expect(chosen(choose(both, [gpu('g')]))).toEqual(['m--llamacpp-gpu-q4.gguf', 'g']);
    const [sglang, tei] = (['sglang', 'tei'] as const).map((engineType) => ({
      ...vllm,
      engineType,
      publicId: engineType,
    }));
    const others = [tei, sglang, vllm].filter((recipe) => recipe !== undefined);
    expect(chosen(choose(entry(others, []), [gpu('g')]))).toEqual([vllm.publicId, 'g']);
  });

  test('the highest precision that leaves a fifth of the memory free, else the lowest', () => {
    const precisions = entry([q4, q8, f16], [5e9, 8.5e9, 16e9]);
    const on = (capacityBytes: number) => chosen(choose(precisions, [{ ...machine, capacityBytes }]))[0];
    expect(on(40e9)).toBe(f16.publicId);
    expect(on(20e9)).toBe(q8.publicId);
    expect(on(17.5e9)).toBe(q8.publicId);
    expect(on(11e9)).toBe(q4.publicId);
    expect(on(6e9)).toBe(q4.publicId);
  });

  test('of two equal recipes, the one whose publicId sorts first, in any catalog order', () => {
    const [a, b] = [
      { ...q4, publicId: 'a' },
      { ...q4, publicId: 'b' },
    ];
    expect(chosen(choose(entry([b, a], []), [machine]))).toEqual(['a', machine.id]);
  });

  test('only the requested recipe; a file matches by path, or by name if no path matches', () => {
    const deep = gguf('folder/q4.gguf');
    const [files, nested] = [entry([q4, q8, deep], []), entry([deep, q8], [])];
    const wanted = (one: CatalogEntry, ggufFile: string) => chosen(choose(one, [machine], { ggufFile }));
    expect(wanted(files, 'q4.gguf')).toEqual([q4.publicId, machine.id]);
    expect(wanted(nested, 'q4.gguf')).toEqual([deep.publicId, machine.id]);
    expect(wanted(nested, 'folder/q4.gguf')).toEqual([deep.publicId, machine.id]);
    expect(wanted(nested, '../q4.gguf')).toBe('no-recipe');
    expect(chosen(choose(files, [machine], { accelerator: 'gpu' }))).toBe('no-recipe');
    expect(reasons(choose(nested, [machine], { ggufFile: 'q8.gguf' }))).toEqual(['not-wanted', 'fits']);
  });
});

describe('on the graphics card of this machine', () => {
  const arch = { layers: 32, kvHeads: 8, headDim: 128 };
  const onCard = [gguf('q4.gguf', 'gpu'), gguf('q8.gguf', 'gpu')];
  const [cardQ4, cardQ8] = onCard;
  const model = (facts: Partial<ModelFacts> = {}) =>
    entry([...onCard, q4, q8], [5e9, 8.5e9, 5e9, 8.5e9], { arch, ...facts });
  const choice = (selection: Selection) =>
    selection.outcome === 'chosen' ? [selection.recipe.publicId, selection.place, selection.layers?.onCard] : [];

  test('a recipe that fits it whole comes before one that partly does, before the processor', () => {
    expect(choice(choose(model(), [machine, graphicsCard]))).toEqual([cardQ4?.publicId, 'card', 33]);
    expect(choice(choose(model(), [machine, cardWith(4e9, 20e9)]))).toEqual([cardQ4?.publicId, 'card-partly', 18]);
    expect(choice(choose(model(), [machine, cardWith(4e8, 20e9)]))).toEqual([q8.publicId, 'processor', undefined]);
    expect(choice(choose(model(), [machine, cardWith(40e9, 20e9)]))).toEqual([cardQ8?.publicId, 'card', 33]);
  });

  test('a small model stays on the processor', () => {
    const small = model({ parameterCount: 999e6 });
    expect(choice(choose(small, [machine, graphicsCard]))).toEqual([q8.publicId, 'processor', undefined]);
    expect(choice(choose(small, [machine, graphicsCard], { accelerator: 'gpu' }))[1]).toBe('card');
  });

  test('partly there comes before a card that costs money', () => {
    expect(chosen(choose(entry([gguf('q4.gguf', 'gpu')], [5e9], { arch }), [gpu('g'), cardWith(4e9, 20e9)]))[1]).toBe(
      graphicsCard.id,
    );
  });

  test('an engine in a container that has it whole comes before llama.cpp that has it partly', () => {
    const both = entry([gguf('q4.gguf', 'gpu'), vllm], [6e9, 5e9], { arch });
    expect(choice(choose(both, [{ ...graphicsCard, engines: null }]))[0]).toBe('m--llamacpp-gpu-q4.gguf');
    const busy = { ...cardWith(4e9, 20e9), engines: null };
    expect(choice(choose(both, [busy]))).toEqual([vllm.publicId, 'card', undefined]);
  });

  test('without a known number of layers a model is there whole or not at all', () => {
    const { arch: _, ...facts } = model().facts;
    const unknown = { ...model(), facts };
    expect(choice(choose(unknown, [machine, graphicsCard]))).toEqual([cardQ4?.publicId, 'card', undefined]);
    expect(choice(choose(unknown, [machine, cardWith(4e9, 20e9)]))[1]).toBe('processor');
  });

  test('memory that card and machine share counts once', () => {
    expect(reasons(choose(entry(onCard, [5e9, 8.5e9], { arch }), [cardWith(5e9, 0)]))).toEqual([
      ...['too-small', 'too-small'],
    ]);
  });

  test('a model has the longest context that fits the card, and the shortest if it is partly there', () => {
    const long = model({ contextLength: 131_072 });
    const context = (...card: Parameters<typeof cardWith>) =>
      choose(long, [cardWith(...card)], { ggufFile: 'q4.gguf' });
    expect(context(11e9, 20e9)).toMatchObject({ place: 'card', ctxSize: 32_768 });
    expect(context(40e9, 20e9)).toMatchObject({ place: 'card', ctxSize: 131_072 });
    expect(context(5e9, 200e9)).toMatchObject({ place: 'card-partly', ctxSize: 8192 });
  });
});

describe('which offer', () => {
  const place = (...offers: readonly ComputeOffer[]) => chosen(choose(entry([vllm], [10e9]), offers))[1];

  test('the cheapest, then the smallest that fits, then the default region, then by id', () => {
    expect(place(gpu('a'), gpu('b', { pricePerHour: 0.5 }))).toBe('b');
    expect(place(gpu('a'), gpu('b', { capacityBytes: 30e9 }))).toBe('b');
    expect(place(gpu('a'), gpu('b', { region: 'this-machine' }))).toBe('b');
    expect(place(gpu('b'), gpu('a'))).toBe('a');
  });

  test.each([
    ['other-accelerator', machine],
    ['deprecated', gpu('g', { status: 'deprecated' })],
    ['not-available', gpu('g', { status: 'not_available' })],
    ['engine-unavailable', gpu('g', { engines: ['llamacpp'] })],
    ['too-small', gpu('g', { capacityBytes: 12e9 })],
    ['heads-indivisible', gpu('g', onGpus(4))],
    ['no-account', gpu('g', { hasProvider: false })],
    ['quota-used-up', gpu('g', { quota: { maxAccelerators: 1, usedAccelerators: 1 } })],
    ['fits', gpu('g', { status: 'low_availability', ...onGpus(2) })],
    ['fits', gpu('g', { status: 'reserved' })],
  ] as const)('%s is why, or why not', (reason, offer) => {
    const arch = { layers: 1, kvHeads: 1, headDim: 64, heads: 14 };
    expect(reasons(choose(entry([vllm], [10e9], { arch }), [offer]))).toEqual([reason]);
  });

  test('an offer exactly as large as needed fits; with unknown weights none fits', () => {
    const one = entry([tei], [10e9]);
    const offer = (capacityBytes: number) => ({ ...machine, engines: null, capacityBytes });
    const need = 12e9 + 512 * 1024 ** 2;
    expect(reasons(choose(one, [offer(need)]))).toEqual(['fits']);
    expect(reasons(choose(one, [offer(need - 1)]))).toEqual(['too-small']);
    const unknown = { ...one, facts: { weightBytes: {} } };
    expect(reasons(choose(unknown, [offer(1e15)]))).toEqual(['weights-unknown']);
  });

  test('for one recipe, preferences for others do not count', () => {
    const both = entry([q4, vllm], []);
    expect(chosen(selectOffer(both, q4, [machine, gpu('g')]))).toEqual([q4.publicId, machine.id]);
    expect(chosen(selectOffer(both, vllm, [machine]))).toBe('nothing-fits');
  });
});

describe('the engine’s settings', () => {
  const arch = { layers: 32, kvHeads: 8, headDim: 128 };

  test('llama.cpp gets the longest context that fits', () => {
    const long = entry([q4], [5e9], { arch, contextLength: 131_072 });
    expect(choose(long, [machine])).toMatchObject({ ctxSize: 32_768, tensorParallelSize: null });
    expect(choose(long, [{ ...machine, capacityBytes: 40e9 }])).toMatchObject({ ctxSize: 131_072 });
  });

  test('vLLM gets the number of accelerators and no context', () => {
    expect(choose(entry([vllm], [], { arch }), [gpu('g', onGpus(4))])).toMatchObject({
      ctxSize: null,
      tensorParallelSize: 4,
    });
  });
});
