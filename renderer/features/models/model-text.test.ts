import { expect, test } from 'vitest';
import { parameters, price, priceAnHour, recipeWords, taskWords, valueWords } from './model-text.ts';

test.each([
  [22_700_000, '22.7M'],
  [137_000_000, '137M'],
  [8_190_735_360, '8.2B'],
  [70_553_706_496, '70.6B'],
  [235_000_000_000, '235B'],
])('%i parameters are %s', (count, words) => {
  expect(parameters(count)).toBe(words);
});

test('a price says cents, and less where it is less', () => {
  expect([0, 0.033, 0.8, 23.5].map(price)).toEqual(['no charge', '$0.033', '$0.80', '$23.50']);
  expect([0, 0.8].map(priceAnHour)).toEqual(['no charge', '$0.80 an hour']);
});

test('tasks, engines and accelerators are written as people do; what is unknown as it is', () => {
  expect(taskWords('text-generation')).toBe('Text generation');
  expect(valueWords('accelerator', 'gpu')).toBe('GPU');
  expect(valueWords('license', 'gpu')).toBe('gpu');
  expect(valueWords('engine', 'newest-one')).toBe('newest-one');
  expect(recipeWords({ accelerator: 'cpu', engineType: 'llamacpp', publicId: 'x' })).toBe('llama.cpp on CPU');
});
