import { expect, test } from 'vitest';
import { someModel } from '../../testing/models/some-models.ts';
import { fittingVariant } from './fitting-variant.ts';

const model = (repoId: string, parameterCount?: number, task = 'text-generation') =>
  someModel({ repoId, task }, parameterCount === undefined ? {} : { parameterCount });
const large = model('ada/Talk-14B-Instruct', 14e9);
const variants = [
  model('ada/Talk-0.6B-Instruct', 0.6e9),
  model('ada/talk-4b-instruct', 4e9),
  model('ada/Talk-14B-Instruct-GGUF', 14e9),
];
const others = [
  model('ada/Talk-32B-Instruct', 32e9), // larger
  model('ada/Talk-7B-Instruct'), // of unknown size
  model('ada/Talk-7B', 7e9), // another kind
  model('ada/Talk-7B-Instruct', 7e9, 'feature-extraction'), // for another task
  model('bob/Talk-7B-Instruct', 7e9), // of another author
];
const found = (fits: (repoId: string) => boolean, entry = large) =>
  fittingVariant(entry, [...others, large, ...variants], ({ item }) => fits(item.repoId))?.item.repoId ?? null;

test('the largest variant that fits is found, also the same model in another format', () => {
  expect(found(() => true)).toBe('ada/Talk-14B-Instruct-GGUF');
  expect(found((repoId) => !/gguf/i.test(repoId))).toBe('ada/talk-4b-instruct');
  expect(found((repoId) => repoId.includes('0.6B'))).toBe('ada/Talk-0.6B-Instruct');
});

test('where no variant fits, or the size of the model is unknown, none is named', () => {
  expect(found(() => false)).toBeNull();
  expect(found(() => true, model('ada/Talk-14B-Instruct'))).toBeNull();
});
