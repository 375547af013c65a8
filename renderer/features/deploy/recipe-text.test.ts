import { expect, test } from 'vitest';
import { hourlyPriceText, price, recipeText } from './recipe-text.ts';

test('a price has cents, and tenths of a cent below ten cents', () => {
  expect([0, 0.033, 0.8, 23.5].map(price)).toEqual(['no charge', '$0.033', '$0.80', '$23.50']);
  expect([0, 0.8].map(hourlyPriceText)).toEqual(['no charge', '$0.80 per hour']);
});

test('a recipe is named by its engine and accelerator', () => {
  expect(recipeText({ accelerator: 'cpu', engineType: 'llamacpp', publicId: 'x' })).toBe('llama.cpp on CPU');
});
