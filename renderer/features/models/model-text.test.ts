import { expect, test } from 'vitest';
import { taskText } from '../deploy/fit-text.ts';
import { facetValueText } from './model-text.ts';

test('tasks, engines and accelerators have display names; unknown ones are unchanged', () => {
  expect(taskText('text-generation')).toBe('Text generation');
  expect(facetValueText('accelerator', 'gpu')).toBe('GPU');
  expect(facetValueText('license', 'gpu')).toBe('gpu');
  expect(facetValueText('engine', 'newest-one')).toBe('newest-one');
});
