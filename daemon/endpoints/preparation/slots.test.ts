import { expect, test } from 'vitest';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { slotsOf, withSlots } from './slots.ts';

/** 64 KiB a token. */
const facts = { sizeBytes: 100e6, shape: { layers: 16, kvHeads: 8, headDim: 128 } };

const modelWith = (image: object, args: string[] | null = null) => ({
  ...partsNamed('a').model,
  args,
  image: { llamacpp: { url: 'u', modelPath: '/m', ...image } },
});

test.each<
  [what: string, image: object, args: string[] | null, capacityBytes: number, count: number, cacheTokens: number | null]
>([
  ['as many as the memory has room for', { ctxSize: 1_024 }, null, 1e9, 4, 4_096],
  ['fewer in less memory', { ctxSize: 1_024 }, null, 500e6, 2, 2_048],
  ['one in little memory', { ctxSize: 1_024 }, null, 400e6, 1, 1_024],
  ['one where the context is the engine’s own choice', {}, null, 1e12, 1, null],
  ['one where the context 0 means the same', { ctxSize: 0 }, null, 1e12, 1, null],
  ['those that are set share the context', { ctxSize: 1_024, nParallel: 8 }, null, 1e12, 8, 1_024],
  ['those that are set, whatever the memory', { nParallel: 8 }, null, 1e6, 8, null],
  ['those of an argument, which wins', { ctxSize: 1_024, nParallel: 8 }, ['--parallel', '2'], 1e12, 2, 1_024],
  ['as many as there is room for beside an argument that sets none', { ctxSize: 1_024 }, ['-np', '-1'], 1e9, 4, 4_096],
  ['one beside an argument that sets the context', { ctxSize: 1_024 }, ['-c', '2048'], 1e12, 1, 1_024],
])('%s', (_what, image, args, capacityBytes, count, cacheTokens) => {
  expect(slotsOf(modelWith(image, args), facts, capacityBytes)).toEqual({ count, cacheTokens });
});

test.each([
  [0, 500e6, 2],
  [4, 500e6, 4], // the replica that goes takes the rest
  [2, 500e6, 2],
  [1, 400e6, 1],
  [4, 300e6, 2],
])('in the place of a replica with %d slots, in %d bytes: %d', (replaced, capacityBytes, count) => {
  expect(slotsOf(modelWith({ ctxSize: 1_024 }), facts, capacityBytes, replaced)?.count).toBe(count);
});

test('one for a model whose cache has an unknown size', () => {
  const slots = slotsOf(modelWith({ ctxSize: 1_024 }), { ...facts, shape: null }, 1e12);
  expect(slots).toEqual({ count: 1, cacheTokens: 1_024 });
});

test('other engines decide themselves', () => {
  const parts = { ...partsNamed('a'), model: { ...partsNamed('a').model, image: { vLLM: { url: 'u' } } } };
  expect(slotsOf(parts.model, facts, 1e12)).toBeNull();
  expect(withSlots(parts, null)).toBe(parts);
});

test('the image that is started says the slots and their whole context', () => {
  const parts = { ...partsNamed('a'), model: modelWith({ ctxSize: 1_024, mode: null }) };
  const { model } = withSlots(parts, { count: 4, cacheTokens: 4_096 });
  expect(model.image.llamacpp).toMatchObject({ ctxSize: 4_096, nParallel: 4, mode: null, modelPath: '/m' });
});
