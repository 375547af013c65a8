import { expect, test } from 'vitest';
import { facetValueText, parameters, taskText } from './model-text.ts';

test.each([
  [22_700_000, '22.7M'],
  [137_000_000, '137M'],
  [8_190_735_360, '8.2B'],
  [70_553_706_496, '70.6B'],
  [235_000_000_000, '235B'],
])('%i parameters are %s', (count, text) => {
  expect(parameters(count)).toBe(text);
});

test('tasks, engines and accelerators have display names; unknown ones are unchanged', () => {
  expect(taskText('text-generation')).toBe('Text generation');
  expect(facetValueText('accelerator', 'gpu')).toBe('GPU');
  expect(facetValueText('license', 'gpu')).toBe('gpu');
  expect(facetValueText('engine', 'newest-one')).toBe('newest-one');
});
