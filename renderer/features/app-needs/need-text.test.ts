import { expect, test } from 'vitest';
import type { AppNeed } from '../../../daemon/contract/apps/needs.ts';
import { isServedByFile, needsText } from './need-text.ts';

const need = (task: AppNeed['task'], optional = false): AppNeed => ({ name: 'x', task, optional });

test.each<[string | null, AppNeed[]]>([
  [null, []],
  ['Needs a chat model', [need('text-generation')]],
  ['Needs a chat model', [need('text-generation'), need('text-generation')]],
  ['Can use an embedding model', [need('feature-extraction', true)]],
  ['Needs a model for translation; can use a chat model', [need('translation'), need('text-generation', true)]],
  [
    'Needs a chat model, a model for object detection and a speech recognition model',
    [need('text-generation'), need('object-detection'), need('automatic-speech-recognition')],
  ],
  [
    'Can use a chat model, a speech recognition model and a model for voice',
    [
      { name: 'chat', task: 'text-generation', optional: true },
      { name: 'hear', task: 'automatic-speech-recognition', optional: true },
      { name: 'voice', task: 'custom', optional: true },
    ],
  ],
])('%s', (text, needs) => {
  expect(needsText(needs)).toBe(text);
});

test('own files serve the tasks of llama.cpp', () => {
  expect(['text-generation', 'feature-extraction', 'text-ranking'].every(isServedByFile)).toBe(true);
  expect(isServedByFile('translation')).toBe(false);
});
