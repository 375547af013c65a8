import { expect, test } from 'vitest';
import { cloudGpu, considered, recipe } from '../../testing/model-fixtures.ts';
import { cardChoice } from './card-choice.ts';

const ggufFile = 'big-q4.gguf';
const onCard = considered('gpu-q4', { recipe: recipe('gpu-q4', { accelerator: 'gpu', ggufFile }) });
const onProcessor = considered('cpu-q4', { recipe: recipe('cpu-q4', { ggufFile }) });
const other = considered('cpu-q8');

test('a recipe for the card can be changed to that of the same file for the processor, and back', () => {
  const recipes = [other, onCard, onProcessor];
  expect(cardChoice(recipes, onCard)).toEqual({ usesCard: true, other: onProcessor, reason: null });
  expect(cardChoice(recipes, onProcessor)).toEqual({ usesCard: false, other: onCard, reason: null });
});

test('a file that the catalog has for one of them only leaves no choice, and says so', () => {
  expect(cardChoice([other, onCard], onCard)).toEqual({
    ...{ usesCard: true, other: null },
    reason: 'The catalog has this file only for the graphics card.',
  });
  expect(cardChoice([other, onCard], other)?.reason).toBe('The catalog has this file only for the processor.');
});

test('a recipe that does not fit on the other one says why', () => {
  const reason = 'Needs 20.0 GB; the graphics card has 8.0 GB.';
  const tooBig = { ...onCard, fits: false, offer: null, reason };
  expect(cardChoice([tooBig, onProcessor], onProcessor)).toEqual({ usesCard: false, other: null, reason });
});

test('recipes of other engines and of other machines have no such choice', () => {
  const inContainer = considered('vllm', { recipe: recipe('vllm', { engineType: 'vllm', accelerator: 'gpu' }) });
  expect(cardChoice([inContainer], inContainer)).toBeNull();
  const elsewhere = { ...onCard, offer: cloudGpu };
  expect(cardChoice([elsewhere, onProcessor], elsewhere)).toBeNull();
  expect(cardChoice([onCard], { ...onCard, offer: null })).toBeNull();
});
