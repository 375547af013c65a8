import { expect, test } from 'vitest';
import { generatedText } from './use-text.ts';

test.each<[number | null, number | null, string | null]>([
  [null, null, null],
  [41.26, null, '41.3 tokens a second in the last minute'], // its first answer is under way
  [41.26, 38, '41.3 tokens a second in the last minute, 38.0 on average'],
  [null, 38, '38.0 tokens a second on average'],
])('%s tokens a second now and %s on average are "%s"', (now, average, expected) => {
  expect(generatedText({ generatedPerSecond: { now, average } })).toBe(expected);
});
